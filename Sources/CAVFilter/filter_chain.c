#include "CAVFilter.h"
#include "CLateCalls.h"

#include <libavfilter/avfilter.h>
#include <libavfilter/buffersink.h>
#include <libavfilter/buffersrc.h>
#include <libavutil/mem.h>
#include <pthread.h>
#include <stdio.h>

/* The library version this was compiled against: another major version has different structures. */
static const char *const file_name = "libavfilter.so." AV_STRINGIFY(LIBAVFILTER_VERSION_MAJOR);

/* The functions used, under their own names. */
static struct {
  __typeof__(avfilter_get_by_name) *get_by_name;
  __typeof__(avfilter_graph_alloc) *graph_alloc;
  __typeof__(avfilter_graph_free) *graph_free;
  __typeof__(avfilter_graph_create_filter) *graph_create_filter;
  __typeof__(avfilter_graph_parse_ptr) *graph_parse_ptr;
  __typeof__(avfilter_graph_config) *graph_config;
  __typeof__(avfilter_inout_alloc) *inout_alloc;
  __typeof__(avfilter_inout_free) *inout_free;
  __typeof__(av_buffersrc_add_frame) *add_frame;
  __typeof__(av_buffersrc_close) *close;
  __typeof__(av_buffersink_get_frame) *get_frame;
  __typeof__(av_buffersink_get_time_base) *get_time_base;
} library;

static char failure[512];

static void load(void) {
  const late_symbol symbols[] = {
      {&library.get_by_name, "avfilter_get_by_name"},
      {&library.graph_alloc, "avfilter_graph_alloc"},
      {&library.graph_free, "avfilter_graph_free"},
      {&library.graph_create_filter, "avfilter_graph_create_filter"},
      {&library.graph_parse_ptr, "avfilter_graph_parse_ptr"},
      {&library.graph_config, "avfilter_graph_config"},
      {&library.inout_alloc, "avfilter_inout_alloc"},
      {&library.inout_free, "avfilter_inout_free"},
      {&library.add_frame, "av_buffersrc_add_frame"},
      {&library.close, "av_buffersrc_close"},
      {&library.get_frame, "av_buffersink_get_frame"},
      {&library.get_time_base, "av_buffersink_get_time_base"},
  };
  late_symbols_load(file_name, symbols, sizeof symbols / sizeof *symbols, failure, sizeof failure);
}

const char *filter_library_name(void) { return file_name; }

const char *filter_library_load(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return *failure ? failure : NULL;
}

int filter_library_has(const char *name) {
  return !filter_library_load() && library.get_by_name(name) != NULL;
}

struct filter_chain {
  AVFilterGraph *graph;
  AVFilterContext *source;
  AVFilterContext *sink;
};

static int make_ends(filter_chain *chain, const filter_source *source) {
  char settings[512];
#if LIBAVFILTER_VERSION_INT >= AV_VERSION_INT(9, 16, 100)
  if (!source->is_audio && source->matrix >= 0)
    snprintf(settings, sizeof settings, "%s:colorspace=%d:range=%d", source->arguments,
             source->matrix, source->range);
  else
#endif
    snprintf(settings, sizeof settings, "%s", source->arguments);
  int result = library.graph_create_filter(
      &chain->source, library.get_by_name(source->is_audio ? "abuffer" : "buffer"), "in", settings,
      NULL, chain->graph);
  if (result < 0) return result;
  return library.graph_create_filter(
      &chain->sink, library.get_by_name(source->is_audio ? "abuffersink" : "buffersink"), "out",
      NULL, NULL, chain->graph);
}

static int join(filter_chain *chain, const char *filters) {
  AVFilterInOut *inputs = library.inout_alloc(), *outputs = library.inout_alloc();
  int result = AVERROR(ENOMEM);
  if (inputs && outputs) {
    outputs->name = av_strdup("in");
    outputs->filter_ctx = chain->source;
    inputs->name = av_strdup("out");
    inputs->filter_ctx = chain->sink;
    if (outputs->name && inputs->name)
      result = library.graph_parse_ptr(chain->graph, filters, &inputs, &outputs, NULL);
  }
  if (result >= 0) result = library.graph_config(chain->graph, NULL);
  library.inout_free(&inputs);
  library.inout_free(&outputs);
  return result;
}

int filter_chain_make(filter_chain **chain, const filter_source *source, const char *filters) {
  *chain = NULL;
  if (filter_library_load()) return AVERROR(ENOSYS);
  filter_chain *made = av_mallocz(sizeof *made);
  if (!made) return AVERROR(ENOMEM);
  *chain = made;
  made->graph = library.graph_alloc();
  if (!made->graph) return AVERROR(ENOMEM);
  const int result = make_ends(made, source);
  return result < 0 ? result : join(made, filters);
}

void filter_chain_free(filter_chain *chain) {
  if (!chain) return;
  library.graph_free(&chain->graph);
  av_free(chain);
}

void filter_chain_time_base(const filter_chain *chain, int *numerator, int *denominator) {
  const AVRational base = library.get_time_base(chain->sink);
  *numerator = base.num;
  *denominator = base.den;
}

int filter_chain_send(filter_chain *chain, void *frame) {
  return library.add_frame(chain->source, frame);
}

int filter_chain_close(filter_chain *chain, int64_t end) {
  return library.close(chain->source, end, 0);
}

int filter_chain_receive(filter_chain *chain, void *frame) {
  return library.get_frame(chain->sink, frame);
}
