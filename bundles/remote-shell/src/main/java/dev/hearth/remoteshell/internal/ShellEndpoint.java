package dev.hearth.remoteshell.internal;

import dev.hearth.remoteshell.internal.ShellProtocol.Ended;
import dev.hearth.remoteshell.internal.ShellProtocol.Interrupt;
import dev.hearth.remoteshell.internal.ShellProtocol.More;
import dev.hearth.remoteshell.internal.ShellProtocol.Piece;
import dev.hearth.remoteshell.internal.ShellProtocol.Resized;
import dev.hearth.remoteshell.internal.ShellProtocol.Run;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.spi.rpc.Receiver;
import dev.hearth.spi.rpc.RpcCall;
import dev.hearth.spi.rpc.RpcEndpoint;
import dev.hearth.spi.shell.CommandRunner;
import dev.hearth.spi.shell.CommandRunner.CommandResult;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs lines of the Hearth shell that remote peers send, one at a time for each peer. Each line runs on a separate
 * thread, so that a slow one does not block other peers. A line is interrupted when its peer is lost or sends {@code
 * Interrupt}. Owned by one event loop, which never runs a line itself.
 */
final class ShellEndpoint implements RpcEndpoint {
    /**
     * Maximum number of lines of remote peers that run at the same time. It exceeds the number of users of a process,
     * and is small enough for one thread per line.
     */
    static final int LINES_MAX = 16;

    private static final Logger LOG = LoggerFactory.getLogger(ShellEndpoint.class);

    private final EventLoop loop;
    private final CommandRunner runner;
    private final ThreadFactory threads;
    private final Receiver receiver;
    // lines that run, by peer; accessed on the event loop only
    private final Map<Peer, RunningLine> running = new LinkedHashMap<>();

    /** Line that runs for a peer, with the peer's request for its output that is not answered yet. */
    private static final class RunningLine {
        private final Thread thread;
        private final StreamedOutput output;
        private Optional<RpcCall> more = Optional.empty();

        RunningLine(Thread thread, StreamedOutput output) {
            this.thread = thread;
            this.output = output;
        }

        void interrupt() {
            thread.interrupt();
        }

        void answer(boolean isEnd) {
            if (more.isPresent() && (isEnd || !output.isEmpty())) {
                more.get().reply(output.take());
                more = Optional.empty();
            }
        }
    }

    ShellEndpoint(EventLoop loop, CommandRunner runner, ThreadFactory threads) {
        this.loop = loop;
        this.runner = runner;
        this.threads = threads;
        this.receiver = Receiver.of(ShellProtocol.ENDPOINT)
                .on(Interrupt.class, (message, peer) -> find(peer).ifPresent(RunningLine::interrupt))
                .on(
                        Resized.class,
                        (message, peer) -> find(peer).ifPresent(line -> line.output.resized(message.width())))
                .onPeerLost((peer, reason) -> find(peer).ifPresent(line -> {
                    line.output.close();
                    line.interrupt();
                }))
                .build();
    }

    @Override
    public void receive(Record message, RpcCall call) {
        // {@code Run} and {@code More} are not handled by the Receiver, because they are answered later.
        if (message instanceof Run run) {
            begin(run, call);
        } else if (message instanceof More) {
            more(call);
        } else {
            receiver.receive(message, call);
        }
    }

    @Override
    public void peerLost(Peer peer, String reason) {
        receiver.peerLost(peer, reason);
    }

    /** Interrupts all running shell lines. A command that ignores the interrupt continues to run. */
    void close() {
        running.values().forEach(RunningLine::interrupt);
    }

    private void more(RpcCall call) {
        RunningLine line = running.get(call.peer());
        if (line == null) {
            call.reply(new Piece("", ""));
            return;
        }
        line.answer(true); // a request that its sender no longer waits for
        line.more = Optional.of(call);
        line.answer(false);
    }

    private void begin(Run run, RpcCall call) {
        Peer peer = call.peer();
        if (running.containsKey(peer) || running.size() >= LINES_MAX) {
            String found = running.containsKey(peer)
                    ? "a command line of this session"
                    : running.size() + "" + " command lines";
            call.fail(
                    ErrorCode.TOO_MANY_ASKS,
                    "remote shell: " + found + " already running (expected: at most 1 for each session, and" + " "
                            + LINES_MAX + " for all sessions); try again when a command line has ended");
            return;
        }
        StreamedOutput output = new StreamedOutput(
                run.width(), run.colours(), () -> loop.execute(() -> find(peer).ifPresent(line -> line.answer(false))));
        Thread thread = threads.newThread(() -> {
            Runnable answer = run(run, output, call);
            loop.execute(() -> {
                // the entry is removed before the answer is sent, because the peer may then send its next
                // command at once
                RunningLine line = running.remove(peer);
                if (line != null) {
                    line.answer(true);
                }
                answer.run();
            });
        });
        running.put(peer, new RunningLine(thread, output));
        thread.start();
    }

    private Optional<RunningLine> find(Peer peer) {
        return Optional.ofNullable(running.get(peer));
    }

    /**
     * Runs the shell line of the request {@code run} on the current thread. Returns an action for the event loop, which
     * sends the output or the failure to the requester.
     */
    private Runnable run(Run run, StreamedOutput output, RpcCall call) {
        try {
            if (run.isStreamed()) {
                int status = runner.run(run.line(), output);
                return () -> {
                    Piece rest = output.take();
                    call.reply(new Ended(status, rest.output(), rest.errors()));
                };
            }
            CommandResult result = runner.run(run.line(), run.width());
            return () -> call.reply(new Ended(result.status(), result.output(), result.errors()));
        } catch (Throwable failure) {
            // catches Errors too, because the session waits for an answer and its entry must be removed
            LOG.error("remote shell: command line '{}' failed", run.line(), failure);
            return () -> call.fail(
                    ErrorCode.INTERNAL,
                    "command line '" + run.line() + "': " + failure + " (expected: no"
                            + " failure of the command); see the log of the process that ran it");
        }
    }
}
