"""Countries and the adjectives for what is from them, in English."""

from __future__ import annotations

import re

# Country, then other names of it and adjectives; the first of each line is what is compared and said.
_TABLE = """
United States,United States of America,USA,U.S.,US,America,American
United Kingdom,UK,U.K.,Great Britain,Britain,British,England,English,Scotland,Scottish,Wales,Welsh
United Kingdom,Northern Irish,Northern Ireland
Ireland,Irish
Canada,Canadian
Australia,Australian
New Zealand,New Zealander
France,French
Germany,German,West German,East German,West Germany,East Germany
Italy,Italian
Spain,Spanish
Portugal,Portuguese
Netherlands,Dutch,Holland
Belgium,Belgian
Switzerland,Swiss
Austria,Austrian
Sweden,Swedish
Norway,Norwegian
Denmark,Danish
Finland,Finnish
Iceland,Icelandic
Poland,Polish
Czech Republic,Czech,Czechoslovakia,Czechoslovak,Czechoslovakian,Czechia
Slovakia,Slovak,Slovakian
Hungary,Hungarian
Romania,Romanian
Bulgaria,Bulgarian
Greece,Greek
Turkey,Turkish,Türkiye
Russia,Russian,Soviet Union,Soviet,USSR
Ukraine,Ukrainian
Belarus,Belarusian
Lithuania,Lithuanian
Latvia,Latvian
Estonia,Estonian
Serbia,Serbian,Yugoslavia,Yugoslav,Yugoslavian
Croatia,Croatian
Slovenia,Slovenian,Slovene
Bosnia and Herzegovina,Bosnia,Bosnian
Montenegro,Montenegrin
North Macedonia,Macedonia,Macedonian
Albania,Albanian
Kosovo,Kosovar
Georgia,Georgian
Armenia,Armenian
Azerbaijan,Azerbaijani
Kazakhstan,Kazakh
Uzbekistan,Uzbek,Uzbekistani
Kyrgyzstan,Kyrgyz
Turkmenistan,Turkmen
Tajikistan,Tajik
Mongolia,Mongolian
China,Chinese,People's Republic of China
Hong Kong
Taiwan,Taiwanese
Japan,Japanese
South Korea,South Korean,Korean,Korea
North Korea,North Korean
India,Indian
Pakistan,Pakistani
Bangladesh,Bangladeshi
Sri Lanka,Sri Lankan
Nepal,Nepalese,Nepali
Bhutan,Bhutanese
Afghanistan,Afghan
Iran,Iranian,Persian
Iraq,Iraqi
Israel,Israeli
Palestine,Palestinian
Jordan,Jordanian
Lebanon,Lebanese
Syria,Syrian
Saudi Arabia,Saudi Arabian,Saudi
United Arab Emirates,Emirati
Yemen,Yemeni
Oman,Omani
Qatar,Qatari
Kuwait,Kuwaiti
Bahrain,Bahraini
Egypt,Egyptian
Libya,Libyan
Tunisia,Tunisian
Algeria,Algerian
Morocco,Moroccan
Mauritania,Mauritanian
Senegal,Senegalese
Mali,Malian
Nigeria,Nigerian
Ghana,Ghanaian
Ivory Coast,Ivorian
Cameroon,Cameroonian
Kenya,Kenyan
Tanzania,Tanzanian
Uganda,Ugandan
Rwanda,Rwandan
Ethiopia,Ethiopian
Somalia,Somali
Sudan,Sudanese
South Africa,South African
Zimbabwe,Zimbabwean
Zambia,Zambian
Namibia,Namibian
Botswana,Botswanan
Angola,Angolan
Mozambique,Mozambican
Cape Verde,Cape Verdean
Madagascar,Malagasy
Mexico,Mexican
Guatemala,Guatemalan
Honduras,Honduran
El Salvador,Salvadoran
Nicaragua,Nicaraguan
Costa Rica,Costa Rican
Panama,Panamanian
Cuba,Cuban
Haiti,Haitian
Dominican Republic,Dominican
Jamaica,Jamaican
Trinidad and Tobago,Trinidadian
Puerto Rico,Puerto Rican
Colombia,Colombian
Venezuela,Venezuelan
Ecuador,Ecuadorian
Peru,Peruvian
Bolivia,Bolivian
Chile,Chilean
Argentina,Argentine,Argentinian,Argentinean
Uruguay,Uruguayan
Paraguay,Paraguayan
Brazil,Brazilian
Philippines,Filipino,Philippine
Indonesia,Indonesian
Malaysia,Malaysian
Singapore,Singaporean
Thailand,Thai
Vietnam,Vietnamese
Cambodia,Cambodian
Laos,Laotian
Myanmar,Burmese,Burma
Cyprus,Cypriot
Malta,Maltese
Luxembourg,Luxembourgish
"""
# Parts of a country, which tell the country of a place but not the nationality of a person.
_PARTS = """
United States,Alabama,Alaska,Arizona,Arkansas,California,Colorado,Connecticut,Delaware,Florida,Hawaii,Idaho
United States,Illinois,Indiana,Iowa,Kansas,Kentucky,Louisiana,Maine,Maryland,Massachusetts,Michigan,Minnesota
United States,Mississippi,Missouri,Montana,Nebraska,Nevada,New Hampshire,New Jersey,New Mexico,New York
United States,North Carolina,North Dakota,Ohio,Oklahoma,Oregon,Pennsylvania,Rhode Island,South Carolina
United States,South Dakota,Tennessee,Texas,Utah,Vermont,Virginia,Washington D.C.,West Virginia,Wisconsin
United States,Wyoming
Canada,Ontario,Quebec,British Columbia,Alberta,Manitoba,Saskatchewan,Nova Scotia
Australia,New South Wales,Queensland,Tasmania,South Australia,Western Australia
India,Bollywood,Tamil,Telugu,Malayalam,Kannada,Bengali
"""


def _read(table: str) -> dict[str, str]:
    rows = [line.split(",") for line in table.strip().splitlines()]
    return {name: row[0] for row in rows for name in row}


COUNTRY_OF = _read(_TABLE)
PART_OF = {name: country for name, country in _read(_PARTS).items() if name not in COUNTRY_OF}
_ALL = COUNTRY_OF | PART_OF
_PATTERN = re.compile(
    r"(?<![\w-])(?:" + "|".join(re.escape(n) for n in sorted(_ALL, key=lambda n: (-len(n), n))) + r")(?!\w)"
)


def countries_in(text: str) -> list[tuple[str, int, int]]:
    """The countries that `text` names, by noun, adjective or part, in order: (country, start, end)."""
    return [(_ALL[m.group()], m.start(), m.end()) for m in _PATTERN.finditer(text)]
