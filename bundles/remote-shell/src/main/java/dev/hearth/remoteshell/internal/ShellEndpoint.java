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
 * Runs command lines of remote peers, one at a time per peer, each on its own thread, so that a slow command blocks no
 * other peer. The command of a lost or interrupting peer is interrupted. Owned by one loop, which never runs a command.
 */
final class ShellEndpoint implements RpcEndpoint {
    /** More than the number of concurrent users, but few enough threads. */
    static final int LINES_MAX = 16;

    private static final Logger LOG = LoggerFactory.getLogger(ShellEndpoint.class);

    private final EventLoop loop;
    private final CommandRunner runner;
    private final ThreadFactory threads;
    private final Receiver receiver;
    private final Map<Peer, Thread> running = new LinkedHashMap<>(); // accessed on the loop only

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
        if (message instanceof Run run) { // the answer is sent from another thread, so the call is needed
            begin(run, call);
        } else {
            receiver.receive(message, call);
        }
    }

    @Override
    public void peerLost(Peer peer, String reason) {
        receiver.peerLost(peer, reason);
    }

    /** Interrupts all running commands. Commands that ignore the interrupt keep running. */
    void close() {
        running.values().forEach(Thread::interrupt);
    }

    private void begin(Run run, RpcCall call) {
        Peer peer = call.peer();
        if (running.containsKey(peer) || running.size() >= LINES_MAX) {
            String found = running.containsKey(peer) ? "a line of this session" : running.size() + " lines";
            call.fail(
                    ErrorCode.TOO_MANY_ASKS,
                    "shell: " + found + " under way (expected: one a session, " + LINES_MAX
                            + " in all at most); try again when one has ended");
            return;
        }
        Thread thread = threads.newThread(() -> {
            Runnable answer = run(run, call);
            loop.execute(
                    () -> { // in this order, because the peer may send its next command as soon as it has the answer
                        running.remove(peer);
                        answer.run();
                    });
        });
        running.put(peer, thread);
        thread.start();
    }

    /** Runs the command on its own thread and returns the action that answers it. */
    private Runnable run(Run run, RpcCall call) {
        try {
            CommandResult result = runner.run(run.line(), run.width());
            return () -> call.reply(new Ended(result.status(), result.output(), result.errors()));
        } catch (Throwable failure) { // errors too: the session waits for an answer, and its slot must be freed
            LOG.error("line '{}'", run.line(), failure);
            return () ->
                    call.fail(ErrorCode.INTERNAL, "line '" + run.line() + "': " + failure + " (expected: an answer)");
        }
    }

    private void interrupt(Peer peer) {
        Thread thread = running.get(peer);
        if (thread != null) {
            thread.interrupt();
        }
    }
}
