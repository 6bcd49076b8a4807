"""Commands that fit what ranking and answerability ship; runs never import them."""
