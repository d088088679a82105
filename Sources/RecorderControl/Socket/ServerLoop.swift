import CLinux
import MediaCore
import Monitor

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// The thread of a server: everything that clients send and get goes through it.
struct ServerLoop {
  let listener: Int32
  let path: String
  let recorder: any SteeredRecorder
  let feed: MonitorFeed?
  let limits: ControlServer.Limits
  let inbox: ControlServer.Inbox
  private let socket: UnixSocket.FileNumber?
  private var clients: [ServerClient] = []
  private var nextID = 1
  /// The present alarms, while a client subscribes to alarms.
  private var alarms: [RecorderEvent.AlarmName] = []
  /// The number of the last frame that came from the feed.
  private var seen = 0
  private var isOver = false
  private var buffer = [UInt8](repeating: 0, count: 16_384)

  init(
    listener: Int32, path: String, recorder: any SteeredRecorder, feed: MonitorFeed?,
    limits: ControlServer.Limits, inbox: ControlServer.Inbox
  ) {
    self.listener = listener
    self.path = path
    self.recorder = recorder
    self.feed = feed
    self.limits = limits
    self.inbox = inbox
    socket = UnixSocket.identity(path)
  }

  mutating func run() {
    while !isOver { turn() }
    for client in clients { close(client.descriptor) }
    close(listener)
    // Another recorder may have created its own socket there since.
    if let socket, UnixSocket.identity(path) == socket { unlink(path) }
    feed?.demand(.nothing)
    recorder.observe(nil)
  }

  private mutating func turn() {
    var ready = [
      pollfd(fd: inbox.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: listener, events: Int16(POLLIN), revents: 0),
    ]
    ready += clients.map { client in
      let isRead =
        !client.isClosing && !client.hasEnded && client.underWay < limits.commandsUnderWay
      return pollfd(
        fd: client.descriptor,
        events: (isRead ? Int16(POLLIN) : 0) | (client.output.isEmpty ? 0 : Int16(POLLOUT)),
        revents: 0)
    }
    let isWaiting = clients.contains { !$0.output.isEmpty }
    let status = poll(&ready, nfds_t(ready.count), isWaiting ? 500 : -1)
    guard status >= 0 || errno == EINTR else { return isOver = true }
    let polled = clients.map(\.id)
    for (index, id) in polled.enumerated() where ready[index + 2].revents != 0 {
      serve(id, ready[index + 2].revents)
    }
    for input in inbox.take() { take(input) }
    if ready[1].revents & Int16(POLLIN) != 0 { accept() }
    dropDoneAndSlow()
    updateDemand()
  }

  private func place(of id: Int) -> Int? { clients.firstIndex { $0.id == id } }

  // MARK: Connections

  private mutating func accept() {
    let descriptor = Int32(truncatingIfNeeded: accept_for_self_nonblocking(listener))
    guard descriptor >= 0 else {
      // Without a free descriptor or memory the connection stays queued, and would wake the thread immediately.
      if ![EAGAIN, EINTR, ECONNABORTED].contains(errno) { usleep(50_000) }
      return
    }
    UnixSocket.widen(descriptor)
    var client = ServerClient(
      id: nextID, descriptor: descriptor, lastProgress: MonotonicClock.now)
    nextID += 1
    let user = UnixSocket.peerUser(descriptor)
    if let user, user == geteuid() || user == 0 {
      if clients.count < limits.clients {
        client.output.append(greeting())
      } else {
        refuse(
          &client,
          ControlError(
            .tooManyClients, "\(limits.clients) clients are connected, which is the limit"))
      }
    } else {
      refuse(
        &client,
        ControlError(.notPermitted, "only the recorder's user and root may control it"))
    }
    guard client.flush(at: client.lastProgress), !client.isClosing || !client.output.isEmpty,
      clients.count < 2 * limits.clients
    else {
      close(descriptor)
      return
    }
    clients.append(client)
  }

  private func greeting() -> [UInt8] {
    var event = RecorderEvent(.greeting)
    event.recorder = PackageVersion.current
    event.status = feed?.adding(to: recorder.status) ?? recorder.status
    return Self.line(of: event)
  }

  private func refuse(_ client: inout ServerClient, _ error: ControlError) {
    client.output.append(
      (try? MessageLine.bytes(.recorderReply, RecorderReply(error))) ?? [])
    client.isClosing = true
  }

  private mutating func drop(_ id: Int) {
    guard let place = place(of: id) else { return }
    close(clients[place].descriptor)
    clients.remove(at: place)
  }

  private mutating func serve(_ id: Int, _ events: Int16) {
    guard let place = place(of: id) else { return }
    if events & Int16(POLLOUT) != 0, !clients[place].flush(at: MonotonicClock.now) {
      return drop(id)
    }
    if clients[place].isClosing, clients[place].output.isEmpty { return drop(id) }
    if events & Int16(POLLIN) != 0 {
      guard clients[place].receive(into: &buffer) else { return drop(id) }
      readCommands(of: id)
    } else if events & Int16(POLLHUP | POLLERR | POLLNVAL) != 0 {
      drop(id)
    }
  }

  /// Disconnects clients that are done, and those that read too slowly or not at all.
  private mutating func dropDoneAndSlow() {
    let now = MonotonicClock.now
    let patience = Int64(limits.patience * 1e9)
    for client in clients where client.isDone || client.isClosing && client.output.isEmpty {
      drop(client.id)
    }
    for client in clients where !client.output.isEmpty {
      let bytes = client.output.byteCount - client.frameBytes
      if now - client.lastProgress > patience {
        drop(client.id)
        tellLoss(client, "it read nothing for \(Int(saturating: limits.patience)) s")
      } else if bytes > limits.queuedBytes {
        drop(client.id)
        tellLoss(client, "\(bytes) bytes of messages were waiting for it")
      }
    }
  }

  /// Tells the other clients that a client was disconnected, since its own connection no longer can.
  private func tellLoss(_ client: ServerClient, _ reason: String) {
    guard !client.isClosing else { return }
    var event = RecorderEvent(.notice)
    event.message = "a client was disconnected: \(reason)"
    inbox.put(.event(event))
  }

  // MARK: Commands

  private mutating func readCommands(of id: Int) {
    while let place = place(of: id), !clients[place].isClosing,
      clients[place].underWay < limits.commandsUnderWay
    {
      do throws(ControlError) {
        guard let line = try clients[place].input.next() else { return }
        guard !line.isEmpty else { continue }
        obey(line, of: id)
      } catch {
        refuse(&clients[place], error)
        _ = clients[place].flush(at: MonotonicClock.now)
      }
    }
  }

  private mutating func obey(_ line: [UInt8], of id: Int) {
    let message: CommandMessage
    do throws(ControlError) { message = try CommandMessage(line: line) } catch {
      var reply = RecorderReply(error)
      reply.id = CommandMessage.id(in: line)
      return send(reply, to: id)
    }
    guard let place = place(of: id) else { return }
    switch message.command {
    case .events(let isOn): clients[place].wantsEvents = isOn
    case .monitor(let subscription): subscribe(place, subscription)
    case .acknowledge(let number):
      // A success gets no reply, because there may be sixty a second.
      guard !clients[place].acknowledge(number) else { return }
      let error = ControlError(.invalidState, "no frame \(number) is waiting to be acknowledged")
      return send(complete(.init(error), message), to: id)
    default: break
    }
    clients[place].underWay += 1
    let inbox = inbox
    let answered = Once()
    recorder.perform(message.command) { reply in
      guard answered.claim() else { return }
      inbox.put(.reply(client: id, complete(reply, message)))
    }
  }

  private mutating func subscribe(_ place: Int, _ subscription: MonitorSubscription) {
    if subscription.alarms, !clients[place].subscription.alarms {
      // The alarms that are already present: earlier subscribers were notified when they began.
      for name in alarms {
        var event = RecorderEvent(.alarm)
        event.alarm = .init(name: name, isPresent: true)
        clients[place].output.append((try? MessageLine.bytes(.recorderEvent, event)) ?? [])
      }
    }
    clients[place].subscription = subscription
    if case .ready = clients[place].turn { clients[place].turn = .ready(from: .min) }
  }

  private mutating func send(_ reply: RecorderReply, to id: Int) {
    guard let place = place(of: id) else { return }
    clients[place].output.append(Self.line(of: reply))
    if !clients[place].flush(at: MonotonicClock.now) { drop(id) }
  }

  /// A reply as a line. If it cannot be encoded, the line says why, because the client waits for a reply.
  private static func line(of reply: RecorderReply) -> [UInt8] {
    do throws(ControlError) { return try MessageLine.bytes(.recorderReply, reply) } catch {
      var refusal = RecorderReply(error)
      (refusal.id, refusal.command) = (reply.id, reply.command)
      return (try? MessageLine.bytes(.recorderReply, refusal)) ?? []
    }
  }

  /// An event as a line. If it cannot be encoded, the line is a notice that says so.
  private static func line(of event: RecorderEvent) -> [UInt8] {
    do throws(ControlError) { return try MessageLine.bytes(.recorderEvent, event) } catch {
      var notice = RecorderEvent(.notice)
      notice.message = "an event '\(event.event.rawValue)' is not reported: \(error.message)"
      return (try? MessageLine.bytes(.recorderEvent, notice)) ?? []
    }
  }

  // MARK: Input from the recorder

  private mutating func take(_ input: ControlServer.Input) {
    switch input {
    case .reply(let id, var reply):
      guard let place = place(of: id) else { return }
      clients[place].underWay -= 1
      if let feed { reply.status = reply.status.map(feed.adding(to:)) }
      send(reply, to: id)
      // Commands that were read meanwhile, and waited for this reply.
      readCommands(of: id)
    case .event(let event): send(event)
    case .picture(let parcel): send(parcel)
    case .stop:
      let now = MonotonicClock.now
      for place in clients.indices { _ = clients[place].flush(at: now) }
      isOver = true
    }
  }

  private mutating func send(_ reported: RecorderEvent) {
    let event = feed?.follow(reported) ?? reported
    if let alarm = event.alarm {
      alarms.removeAll { $0 == alarm.name }
      if alarm.isPresent { alarms.append(alarm.name) }
    }
    let line = LevelsLine.bytes(event) ?? Self.line(of: event)
    let now = MonotonicClock.now
    for id in clients.filter({ $0.wants(event) }).map(\.id) {
      guard let place = place(of: id) else { continue }
      // Levels are of now or of no worth.
      if event.event == .levels, clients[place].output.byteCount > 0 { continue }
      clients[place].output.append(line)
      if !clients[place].flush(at: now) { drop(id) }
    }
  }

  private mutating func send(_ parcel: FrameParcel) {
    seen = parcel.number
    let now = MonotonicClock.now
    for id in clients.map(\.id) {
      // A client may acknowledge a frame before all of it was sent; the next one waits for the rest.
      guard let place = place(of: id), let due = clients[place].frameDue, due <= now,
        clients[place].frameBytes == 0, clients[place].subscription.region == parcel.region,
        let (line, runs) = parcel.parts(for: clients[place].subscription.scopes)
      else { continue }
      clients[place].turn = .unacknowledged(parcel.number, sent: now)
      clients[place].output.append(line)
      for run in runs {
        clients[place].output.append(run)
        clients[place].frameBytes += run.count
      }
      if !clients[place].flush(at: now) { drop(id) }
    }
  }

  /// Tells the feed what clients want next.
  private mutating func updateDemand() {
    guard let feed else { return }
    let open = clients.filter { !$0.isClosing }
    if !open.contains(where: { $0.subscription.alarms }) { alarms = [] }
    var due: [FrameRegion?: Int64] = [:]
    for client in open {
      guard let instant = client.frameDue else { continue }
      let region = client.subscription.region
      due[region] = min(due[region] ?? .max, instant)
    }
    feed.demand(
      .init(
        frames: open.contains { $0.subscription.pictureRate > 0 }, due: due, seen: seen,
        scopes: open.reduce([]) { $0.union($1.subscription.scopes) },
        levels: open.contains { $0.subscription.levels },
        alarms: open.contains { $0.subscription.alarms }))
  }
}

extension ServerClient {
  fileprivate func wants(_ event: RecorderEvent) -> Bool {
    switch event.event {
    case .levels: !isClosing && subscription.levels
    case .alarm: !isClosing && subscription.alarms
    default: !isClosing && wantsEvents
    }
  }
}

/// A reply as the answer to a command.
private func complete(_ reply: RecorderReply, _ message: CommandMessage) -> RecorderReply {
  var reply = reply
  reply.id = message.id
  reply.command = message.command.name
  let notes = message.notes + (reply.notes ?? [])
  reply.notes = notes.isEmpty ? nil : notes
  return reply
}
