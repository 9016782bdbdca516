package dev.hearth.launcher;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletionStage;

/** A launched process and the application in it, which connects to a port of this program. */
final class ChildLaunch extends FollowedLaunch {
    /** Time in which the last messages of a process may arrive after its end. */
    private static final Duration LAST_WORDS = Duration.ofSeconds(2);

    private static final String LOGGERS = "dev.hearth.launcher.app.";

    private final LaunchServer server;
    private final Process process;
    private final long connectNanos;
    private volatile Optional<LaunchConnection> connection = Optional.empty();
    private volatile boolean killed;
    private volatile boolean done; // the owner has ended
    private OptionalInt exitStatus = OptionalInt.empty(); // of the owner, as the following
    private boolean reading;
    private boolean ended; // the process has exited
    private boolean abandoned; // the application is not followed any more

    private ChildLaunch(LaunchServer server, Process process, Duration connectWithin, List<LaunchListener> first) {
        super("application in process " + process.pid(), first);
        this.server = server;
        this.process = process;
        this.connectNanos = System.nanoTime() + connectWithin.toNanos();
    }

    /** Starts {@code child} and follows it. Its output is written to {@code logger}, which has a default if empty. */
    static LaunchHandle start(
            SubmitProcess child, String logger, Duration connectWithin, List<LaunchListener> listeners)
            throws IOException {
        LaunchServer server = LaunchServer.open();
        Process process;
        try {
            process = child.launch(server.port(), server.secret());
        } catch (IOException | RuntimeException e) {
            server.close();
            throw e;
        }
        ChildOutput.follow(process, child.streams(), logger.isEmpty() ? LOGGERS + child.label() : logger);
        return follow(server, process, connectWithin, listeners);
    }

    /** Follows {@code process}, which connects to {@code server}. */
    static LaunchHandle follow(
            LaunchServer server, Process process, Duration connectWithin, List<LaunchListener> listeners) {
        ChildLaunch launch = new ChildLaunch(server, process, connectWithin, listeners);
        launch.begin();
        return launch;
    }

    private void begin() {
        server.accept(new Child());
        CompletionStage<Process> gone = process.onExit();
        gone.thenAccept(ended -> LaunchServer.thread("hearth-launched-exit-" + process.pid(), () -> {
            server.awaitEarlier(); // a short life may end before its connection is accepted
            post(() -> exited(ended.exitValue()));
        }));
        LaunchServer.thread("hearth-launched-" + process.pid(), this::run);
    }

    @Override
    public void stop() {
        LaunchConnection open = connection.orElseThrow(() -> new IllegalStateException(
                subject() + ": not connected, state " + state() + " (expected: connected); use kill"));
        try {
            open.send(LaunchMessage.STOP);
        } catch (IOException e) {
            throw new IllegalStateException(subject() + ": its connection has ended (expected: open)", e);
        }
    }

    @Override
    public void kill() {
        killed = true;
        process.destroyForcibly();
    }

    @Override
    public void disconnect() {
        post(this::abandon);
    }

    private void run() {
        try {
            while (!abandoned && !(ended && !reading)) {
                if (runNext(remaining())) {
                    continue;
                }
                if (ended) {
                    reading = false; // a connection that outlives its process is not waited for
                } else {
                    abandon();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            abandon();
        } finally {
            done = true;
            server.close();
            connection.ifPresent(LaunchConnection::close);
            decide();
            complete(exitStatus);
        }
    }

    /** Nanoseconds until something must have happened; without a bound while the application runs. */
    private long remaining() {
        if (ended) {
            return LAST_WORDS.toNanos();
        }
        return state() == LaunchState.UNKNOWN ? Math.max(0, connectNanos - System.nanoTime()) : Long.MAX_VALUE;
    }

    private void decide() {
        boolean failed = exitStatus.isPresent() && exitStatus.getAsInt() != 0;
        if (killed && ended) {
            move(LaunchState.KILLED);
        } else if (failed) {
            move(LaunchState.FAILED);
        } else {
            move(LaunchState.LOST);
        }
    }

    private void abandon() {
        abandoned = true;
        move(LaunchState.LOST);
    }

    private void exited(int status) {
        ended = true;
        exitStatus = OptionalInt.of(status);
    }

    /** Passes what the connection brings to the owner. */
    private final class Child implements LaunchServer.Handler {
        @Override
        public void connected(LaunchConnection open) {
            connection = Optional.of(open);
            if (done) { // after the field is set: either this thread or the owner closes it
                open.close();
            }
            post(() -> {
                server.close(); // only one process was started
                reading = true;
                move(LaunchState.CONNECTED);
            });
        }

        @Override
        public void received(LaunchMessage received) {
            post(() -> ChildLaunch.this.received(received));
        }

        @Override
        public void closed() {
            post(() -> reading = false);
        }
    }
}
