# The app with its REST service: docker compose up (compose.yaml), or docker build -t adaq . && docker run -p 127.0.0.1:8501:8501 adaq
FROM python:3.11-slim-bookworm

ENV PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    PIP_NO_CACHE_DIR=1 \
    PIP_DISABLE_PIP_VERSION_CHECK=1 \
    ADAQ_HOME=/data \
    HOME=/tmp

WORKDIR /app
# The packages change less often than the program: they are a layer of their own.
COPY requirements.txt ./
# More packages for what is optional, as "pymilvus>=3.0.2,<4" for corpora in Milvus.
ARG PACKAGES=""
# hadolint ignore=SC2086
RUN pip install -r requirements.txt $PACKAGES
COPY app.py pyproject.toml LICENSE ./
COPY .streamlit .streamlit
COPY data data
COPY pages pages
COPY adaq_core adaq_core

# Nobody in the container may change the program; runs and corpora go into the one volume.
RUN useradd --system --uid 10001 --no-create-home adaq && mkdir /data && chown 10001:10001 /data
USER 10001:10001
VOLUME ["/data"]
EXPOSE 8501

HEALTHCHECK --interval=30s --timeout=10s --start-period=60s --retries=3 \
    CMD ["python", "-c", "import os, urllib.request as r; r.urlopen('http://127.0.0.1:' + os.environ.get('STREAMLIT_SERVER_PORT', '8501') + '/api/health', timeout=8)"]
CMD ["python", "-m", "streamlit", "run", "app.py", "--server.address", "0.0.0.0"]
