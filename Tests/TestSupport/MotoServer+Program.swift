extension MotoServer {
  /// The program of the server's process. Its arguments are the file that gets a line for each
  /// request, and the first bucket, if any. It reads scripts as lines of JSON, and ends when they
  /// end.
  static let program = """
    import contextlib, http.client, io, json, sys, threading, traceback
    from werkzeug.serving import make_server
    from moto.server import DomainDispatcherApplication, create_backend_app
    import boto3, botocore
    app = DomainDispatcherApplication(create_backend_app)
    requests = open(sys.argv[1], 'a', buffering=1)
    def counted(environ, start_response):
        status, sent = ['0'], 0
        def start(line, headers, exc_info=None):
            status[0] = line[:3]
            return start_response(line, headers, exc_info)
        for piece in app(environ, start):
            sent += len(piece)
            yield piece
        requests.write('\\t'.join([environ['REQUEST_METHOD'], environ['PATH_INFO'],
            environ['QUERY_STRING'], status[0], environ.get('CONTENT_LENGTH') or '0', str(sent)])
            + '\\n')
    server = make_server('127.0.0.1', 0, counted, threaded=True)
    def ask(method, path):
        connection = http.client.HTTPConnection('127.0.0.1', server.port)
        connection.request(method, path)
        answer = connection.getresponse()
        answer.read()
        if answer.status != 200:
            raise Exception(f'{method} {path}: {answer.status}')
    def begin_anew(bucket):
        ask('POST', '/moto-api/reset')
        requests.truncate(0)
        ask('PUT', '/' + bucket)
    answers = sys.stdout
    def say(output, error=None):
        answers.write(json.dumps({'output': output, 'error': error}) + '\\n')
        answers.flush()
    names = {'boto3': boto3, 'botocore': botocore, 'begin_anew': begin_anew}
    def run(script):
        if 's3' in script and 's3' not in names:
            names['s3'] = boto3.client('s3', endpoint_url=f'http://127.0.0.1:{server.port}',
                region_name='us-east-1', aws_access_key_id='test', aws_secret_access_key='hush')
        printed = io.StringIO()
        try:
            with contextlib.redirect_stdout(printed):
                exec(script, dict(names))
            say(printed.getvalue())
        except Exception:
            say('', traceback.format_exc())
    def work():
        for bucket in sys.argv[2:]:
            ask('PUT', '/' + bucket)
        say(str(server.port))
        for line in sys.stdin.buffer:
            run(json.loads(line))
        server.shutdown()
    threading.Thread(target=work, daemon=True).start()
    server.serve_forever()
    """
}
