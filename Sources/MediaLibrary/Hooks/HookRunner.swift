import FoundationEssentials
import Subprocess
import SystemPackage

/// Runs hooks one after another, each with the asset on standard input and in the environment.
/// Cancelling the task ends the running hook, and starts no other.
struct HookRunner: Sendable {
  /// The executables, in order.
  var hooks: [String]
  /// The time limit for each.
  var timeLimit: Duration

  private static let outputLimit = 64 << 10

  /// Runs all hooks for an asset. A failing hook does not keep the next one from running.
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

  /// The end of a hook's output, where it says why it failed.
  fileprivate struct Output: Sendable {
    private var kept: [UInt8] = []
    private var count = 0

    var isCut: Bool { count > HookRunner.outputLimit }

    /// The text, starting with the first whole character.
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

  /// How a hook ended, or why it must end.
  fileprivate enum Ending: Sendable {
    case ended(TerminationStatus, Output)
    case failed(String)
    /// The task running the hook was cancelled.
    case cancelled
    case timeIsUp
    /// The time limit no longer applies.
    case clockStopped
  }

  private func run(_ hook: String, _ asset: AssetSummary) async -> HookReport {
    let processes = HookProcesses()
    return await withTaskCancellationHandler {
      await run(hook, asset, processes)
    } onCancel: {
      // A process that outlives the hook may keep the output open, and reading it would block.
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
        // The hook may have ended at the same moment.
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
    // Its own process group: signals to the recorder's group, such as that of Ctrl-C, are the
    // recorder's to handle.
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
      // A file instead of a pipe: writing to a pipe that the hook does not read would end this
      // process.
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
