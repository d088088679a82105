import FoundationEssentials
import Subprocess
import SystemPackage

/// Runs hooks one after another, each with the asset on standard input and in the environment. Where
/// the task is cancelled, the hook that runs is ended and no other is started.
struct HookRunner: Sendable {
  /// The executables, in order.
  var hooks: [String]
  /// How long each may take.
  var timeLimit: Duration

  private static let outputLimit = 64 << 10

  /// Runs all hooks for an asset. A hook that fails does not keep the next one from running.
  func run(for asset: AssetSummary) async -> [HookReport] {
    var reports: [HookReport] = []
    for hook in hooks {
      guard !Task.isCancelled else {
        reports.append(HookReport(hook: hook, asset: asset.identifier, outcome: .skipped))
        continue
      }
      reports.append(await run(hook, asset))
    }
    return reports
  }

  /// What a hook printed, as far as it is kept: the end, where it says why it failed.
  fileprivate struct Output: Sendable {
    private var kept: [UInt8] = []
    private var count = 0

    var isCut: Bool { count > HookRunner.outputLimit }

    /// The text, from the first whole character on.
    var text: String {
      let end = kept.suffix(HookRunner.outputLimit)
      let rest = isCut ? end.prefix(3).prefix { $0 & 0xC0 == 0x80 }.count : 0
      return String(decoding: end.dropFirst(rest), as: UTF8.self)
    }

    mutating func add(_ bytes: UnsafeRawBufferPointer) {
      count += bytes.count
      kept += bytes.suffix(HookRunner.outputLimit)
      if kept.count > 2 * HookRunner.outputLimit {
        kept.removeFirst(kept.count - HookRunner.outputLimit)
      }
    }
  }

  /// How a hook came to its end, or why it is to come to it.
  fileprivate enum Ending: Sendable {
    case ended(TerminationStatus, Output)
    case failed(String)
    /// The task that ran it was cancelled.
    case cancelled
    case timeIsUp
    /// The clock was stopped before.
    case clockStopped
  }

  private func run(_ hook: String, _ asset: AssetSummary) async -> HookReport {
    let processes = HookProcesses()
    return await withTaskCancellationHandler {
      await run(hook, asset, processes)
    } onCancel: {
      // A process that outlives the hook may hold its output open, which is waited for.
      Task.detached { await processes.end() }
    }
  }

  private func run(
    _ hook: String, _ asset: AssetSummary, _ processes: HookProcesses
  ) async -> HookReport {
    let clock = ContinuousClock()
    let start = clock.now
    var ending = Ending.cancelled
    var isLate = false
    var isInterrupted = false
    await withTaskGroup(of: Ending.self) { group in
      let (started, start) = AsyncStream.makeStream(of: Void.self)
      group.addTask {
        defer { start.finish() }
        return await Self.execute(hook, asset, processes) { start.yield() }
      }
      group.addTask { [timeLimit] in
        // The limit counts from the hook's start, however busy this process is.
        for await _ in started { break }
        do { try await Task.sleep(for: timeLimit) } catch { return .clockStopped }
        return .timeIsUp
      }
      for await result in group {
        switch result {
        // It may have ended in the same moment.
        case .timeIsUp:
          guard case .cancelled = ending else { break }
          isLate = true
          group.cancelAll()
          await processes.end()
        case .clockStopped: break
        case .ended, .failed, .cancelled:
          ending = result
          isInterrupted = Task.isCancelled
        }
        group.cancelAll()
      }
    }
    if isLate || isInterrupted { await processes.end() }
    var report = HookReport(hook: hook, asset: asset.identifier, outcome: .failed)
    report.duration = (clock.now - start) / .seconds(1)
    report.add(ending)
    if isLate {
      report.outcome = .timedOut
    } else if isInterrupted {
      report.outcome = .interrupted
    }
    return report
  }

  private static func execute(
    _ hook: String, _ asset: AssetSummary, _ processes: HookProcesses,
    didStart: @escaping @Sendable () -> Void
  ) async -> Ending {
    var options = PlatformOptions()
    // A group of its own: a signal to the recorder's group, as of Ctrl-C, is the recorder's to handle.
    options.processGroupID = 0
    options.teardownSequence = [
      .send(signal: .terminate, toProcessGroup: true, allowedDurationToNextStep: .seconds(2)),
      .send(signal: .kill, toProcessGroup: true, allowedDurationToNextStep: .seconds(1)),
    ]
    var environment: [Environment.Key: String?] = [:]
    for (name, value) in asset.environment {
      environment[Environment.Key(stringLiteral: name)] = value
    }
    environment[Environment.Key(stringLiteral: HookProcesses.variable)] = processes.mark
    do {
      // A file and not a pipe: that would end the process where a hook does not read it.
      let input = try MemoryFile.open(holding: asset.json)
      let result = try await Subprocess.run(
        .path(FilePath(hook)), environment: .inherit.updating(environment),
        workingDirectory: FilePath(asset.library), platformOptions: options,
        input: .fileDescriptor(input, closeAfterSpawningProcess: true), output: .sequence,
        error: .combinedWithOutput
      ) { execution in
        didStart()
        var output = Output()
        for try await chunk in execution.standardOutput {
          chunk.withUnsafeBytes { output.add($0) }
        }
        return output
      }
      return .ended(result.terminationStatus, result.closureResult)
    } catch is CancellationError {
      return .cancelled
    } catch {
      return .failed("\(error)")
    }
  }
}

extension HookReport {
  fileprivate mutating func add(_ ending: HookRunner.Ending) {
    switch ending {
    case .cancelled, .timeIsUp, .clockStopped: break
    case .failed(let reason):
      outcome = .notStarted
      output = reason
    case .ended(let status, let printed):
      output = printed.text
      isOutputCut = printed.isCut
      switch status {
      case .exited(let code): self.status = code
      case .signaled(let number): self.status = 128 + number
      }
      outcome = status.isSuccess ? .succeeded : .failed
    }
  }
}
