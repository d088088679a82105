# make record   ten seconds from the best device here, verified; the report
# make test     every test that this machine can run
# See the README.

PREFIX ?= /usr/local
DESTDIR ?=
# What `make record` adds to the command line: RECORD_OPTIONS="--device pattern:clock"
RECORD_OPTIONS ?=
MOVIE ?= recording.mov

SWIFT ?= swift
recordctl = .build/release/recordctl
swift_folders = Package.swift $(wildcard Sources Tests Benchmarks Plugins)
install_bin = $(DESTDIR)$(PREFIX)/bin
install_share = $(DESTDIR)$(PREFIX)/share

# From the help texts and docs/man/sections; a test tells where they are not up to date.
manual_pages = $(wildcard docs/man/*.1)

.PHONY: all build record test test-all bench format lint manual-pages install uninstall packages clean

all: build

packages:
	@scripts/install-packages build

build: packages
	$(SWIFT) build -c release --product recordctl

record: build
	$(recordctl) record --duration 10s --overwrite -o $(MOVIE) $(RECORD_OPTIONS)
	$(recordctl) verify $(MOVIE)

test:
	@scripts/install-packages build test
	@scripts/run-tests

# Also the slow ones: long recordings, every format.
test-all:
	@scripts/install-packages build test test-all
	@TEST_ALL=1 TEST_TIMEOUT=7200 scripts/run-tests

# The encoders compared, about two minutes. More measures are in Benchmarks: what a frame costs apart
# from encoding, quality, recordings in real time.
bench: build
	$(recordctl) bench $(BENCH_OPTIONS)

format:
	$(SWIFT) format --in-place --configuration .swift-format --recursive $(swift_folders)

lint:
	$(SWIFT) format lint --strict --configuration .swift-format --recursive $(swift_folders)

manual-pages: build
	scripts/manual-pages $(recordctl)

install: build
	install -D -m 755 $(recordctl) $(install_bin)/recordctl
	install -d $(install_share)/man/man1
	install -m 644 $(manual_pages) $(install_share)/man/man1
	install -d $(install_share)/bash-completion/completions $(install_share)/zsh/site-functions \
	  $(install_share)/fish/vendor_completions.d
	$(recordctl) --generate-completion-script bash \
	  > $(install_share)/bash-completion/completions/recordctl
	$(recordctl) --generate-completion-script zsh \
	  > $(install_share)/zsh/site-functions/_recordctl
	$(recordctl) --generate-completion-script fish \
	  > $(install_share)/fish/vendor_completions.d/recordctl.fish

uninstall:
	rm -f $(install_bin)/recordctl \
	  $(addprefix $(install_share)/man/man1/,$(notdir $(manual_pages))) \
	  $(install_share)/bash-completion/completions/recordctl \
	  $(install_share)/zsh/site-functions/_recordctl \
	  $(install_share)/fish/vendor_completions.d/recordctl.fish

clean:
	rm -rf .build
