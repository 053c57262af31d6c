FROM python:3.11-slim-bookworm

# PyTorch's CPU builds; empty: pip's own index.
ARG TORCH_INDEX_URL=https://download.pytorch.org/whl/cpu

ENV PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    OMP_NUM_THREADS=1 \
    OPENBLAS_NUM_THREADS=1 \
    MKL_NUM_THREADS=1

WORKDIR /srv/skip-connections

# Every file is one of those whose hashes are in the lock (`make lock`), but for PyTorch's: it has another for each kind
# of machine, on an index of its own.
COPY requirements.txt requirements.lock ./
RUN python -m pip install --no-cache-dir --no-deps ${TORCH_INDEX_URL:+--extra-index-url "$TORCH_INDEX_URL"} "$(grep ^torch requirements.txt)" \
    && python -m pip install --no-cache-dir --require-hashes -r requirements.lock \
    && python -m pip check

# Unfinished runs may lie in a volume of their own (SKIP_RUNS).
RUN useradd --create-home --home-dir /home/reader --uid 10001 reader \
    && chown reader /srv/skip-connections \
    && mkdir -m 700 /home/reader/runs && chown reader /home/reader/runs
USER reader

COPY --chown=reader CHANGELOG.md LICENSE ./
COPY --chown=reader app app
COPY --chown=reader content content
COPY --chown=reader sims sims
COPY --chown=reader tools tools

# Compiles the training engine and builds the pages and what they show first, which fails where a number is missing: no
# reader waits for any of it. UNTIL=states also computes every state that can be scrubbed, which takes longer.
ARG UNTIL=tables
RUN python -m sims.chunks.preparation && python -m app.prerender --until ${UNTIL}

EXPOSE 5006
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:5006/health', timeout=4)"]
STOPSIGNAL SIGTERM
CMD ["panel", "serve", "app", "--address", "0.0.0.0", "--port", "5006"]
