package dev.hearth.remoteshell.internal;

import dev.hearth.remoteshell.internal.ShellProtocol.Ended;
import dev.hearth.remoteshell.internal.ShellProtocol.Interrupt;
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
    // threads that run commands, by peer; accessed on the event loop only
    private final Map<Peer, Thread> running = new LinkedHashMap<>();

    ShellEndpoint(EventLoop loop, CommandRunner runner, ThreadFactory threads) {
        this.loop = loop;
        this.runner = runner;
        this.threads = threads;
        this.receiver = Receiver.of(ShellProtocol.ENDPOINT)
                .on(Interrupt.class, (message, peer) -> interrupt(peer))
                .onPeerLost((peer, reason) -> interrupt(peer))
                .build();
    }

    @Override
    public void receive(Record message, RpcCall call) {
        // {@code Run} is not handled by the Receiver, because another thread answers this call later.
        if (message instanceof Run run) {
            begin(run, call);
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
        running.values().forEach(Thread::interrupt);
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
        Thread thread = threads.newThread(() -> {
            Runnable answer = run(run, call);
            loop.execute(() -> {
                // the entry is removed before the answer is sent, because the peer may then send its next
                // command at once
                running.remove(peer);
                answer.run();
            });
        });
        running.put(peer, thread);
        thread.start();
    }

    /**
     * Runs the shell line of the request {@code run} on the current thread. Returns an action for the event loop, which
     * sends the output or the failure to the requester.
     */
    private Runnable run(Run run, RpcCall call) {
        try {
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

    private void interrupt(Peer peer) {
        Thread thread = running.get(peer);
        if (thread != null) {
            thread.interrupt();
        }
    }
}
