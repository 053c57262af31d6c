# `make serve` and `make test` are complete on a fresh machine; everything else builds on the same two stamps.
PYTHON ?= python3
PORT ?= 5006
# PyTorch's CPU builds for platforms where the plain package brings several GB of CUDA; empty: only pip's own index.
TORCH_INDEX_URL ?= https://download.pytorch.org/whl/cpu

VENV := .venv
RUN := $(VENV)/bin/python
PIP := $(RUN) -m pip install --quiet --disable-pip-version-check

.PHONY: serve test fast browser check warm bench screenshots clean

serve: $(VENV)/warm
	$(VENV)/bin/panel serve app --port $(PORT)

test: check fast browser

check: $(VENV)/dev
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy
	$(VENV)/bin/vulture

fast: $(VENV)/dev $(VENV)/warm
	$(RUN) -m pytest -m "not browser" --numprocesses auto --dist loadfile

browser: $(VENV)/dev $(VENV)/warm $(VENV)/chromium
	$(RUN) -m pytest -m browser

warm: $(VENV)/dependencies
	$(RUN) -m app.server.warm

bench: $(VENV)/dev $(VENV)/warm $(VENV)/chromium
	$(RUN) -m benchmarks

screenshots: $(VENV)/dev $(VENV)/warm $(VENV)/chromium
	$(RUN) -m tests.browser.screenshots

$(VENV)/dependencies: requirements.txt
	$(PYTHON) -m venv $(VENV)
	$(PIP) --retries 1 $(if $(TORCH_INDEX_URL),--extra-index-url $(TORCH_INDEX_URL)) $(shell grep ^torch requirements.txt)
	$(PIP) -r requirements.txt
	touch $@

$(VENV)/dev: $(VENV)/dependencies requirements-dev.txt
	$(PIP) -r requirements-dev.txt
	touch $@

# Compiles the training engine and computes the numbers of the prose, so that neither waits for the first reader.
$(VENV)/warm: $(VENV)/dependencies $(shell find sims content -name '*.py' -o -name '*.md')
	$(RUN) -m app.server.warm
	touch $@

$(VENV)/chromium: $(VENV)/dev
	./tests/browser/install-chromium $(VENV)
	touch $@

clean:
	rm -rf $(VENV) .cache
