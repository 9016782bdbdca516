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
 * Runs the lines of peers: one at a time for each, each on a thread of its own, so that a line that takes long delays
 * nobody. A peer that is gone or no longer waits has its line interrupted. Owned by one loop, which never runs a line.
 */
final class ShellEndpoint implements RpcEndpoint {
    /** More than people have shells open; less than threads begin to cost. */
    static final int LINES_MAX = 16;

    private static final Logger LOG = LoggerFactory.getLogger(ShellEndpoint.class);

    private final EventLoop loop;
    private final CommandRunner runner;
    private final ThreadFactory threads;
    private final Receiver receiver;
    private final Map<Peer, Thread> running = new LinkedHashMap<>(); // owned by the loop

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
        if (message instanceof Run run) { // answered from another thread, which needs the call
            begin(run, call);
        } else {
            receiver.receive(message, call);
        }
    }

    @Override
    public void peerLost(Peer peer, String reason) {
        receiver.peerLost(peer, reason);
    }

    /** Interrupts every line; those that heed it end. */
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
                    () -> { // in this order: whoever has the answer may ask again at once
                        running.remove(peer);
                        answer.run();
                    });
        });
        running.put(peer, thread);
        thread.start();
    }

    /** Runs the line, on its thread, and returns how to answer. */
    private Runnable run(Run run, RpcCall call) {
        try {
            CommandResult result = runner.run(run.line(), run.width());
            return () -> call.reply(new Ended(result.status(), result.output(), result.errors()));
        } catch (Throwable failure) { // an Error too: the session waits for an answer, and its place for its end
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
