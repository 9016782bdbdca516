package dev.hearth.launcher;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A launched process and the application in it. One thread of its own owns the state and calls the listeners. Other
 * threads send it events through a queue and read the published fields.
 */
final class ChildLaunch implements LaunchHandle {
    /** Time in which the last messages of a process may arrive after its end. */
    private static final Duration LAST_WORDS = Duration.ofSeconds(2);
    /** Events that may wait for the owner; the connection is not read while there are so many. */
    private static final int QUEUE_MAX = 1_024;

    private static final String LOGGERS = "dev.hearth.launcher.app.";
    private static final System.Logger LOG = System.getLogger(ChildLaunch.class.getName());

    private final LaunchServer server;
    private final Process process;
    private final long connectNanos;
    private final List<LaunchListener> listeners = new CopyOnWriteArrayList<>();
    private final BlockingQueue<Runnable> events = new LinkedBlockingQueue<>(QUEUE_MAX);
    private final CompletableFuture<LaunchEnd> exit = new CompletableFuture<>();
    private volatile LaunchState state = LaunchState.UNKNOWN;
    private volatile Optional<String> application = Optional.empty();
    private volatile Optional<String> submission = Optional.empty();
    private volatile Optional<LaunchConnection> connection = Optional.empty();
    private volatile boolean killed;
    private volatile boolean done; // the owner has ended
    private OptionalInt exitStatus = OptionalInt.empty(); // of the owner, as the following
    private String code = "";
    private String message = "";
    private boolean reading;
    private boolean ended; // the process has exited
    private boolean abandoned; // the application is not followed any more

    private ChildLaunch(LaunchServer server, Process process, Duration connectWithin, List<LaunchListener> first) {
        this.server = server;
        this.process = process;
        this.connectNanos = System.nanoTime() + connectWithin.toNanos();
        listeners.addAll(first);
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
        ChildOutput output = new ChildOutput(logger.isEmpty() ? LOGGERS + child.label() : logger);
        if (child.streams().output().isEmpty()) {
            output.follow(process.getInputStream(), "hearth-launched-output-" + process.pid());
        }
        if (child.streams().errors().isEmpty() && !child.streams().errorsToOutput()) {
            output.follow(process.getErrorStream(), "hearth-launched-errors-" + process.pid());
        }
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
    public void addListener(LaunchListener listener) {
        listeners.add(listener);
    }

    @Override
    public LaunchState state() {
        return state;
    }

    @Override
    public Optional<String> applicationId() {
        return application;
    }

    @Override
    public Optional<String> submissionId() {
        return submission;
    }

    @Override
    public void stop() {
        LaunchConnection open = connection.orElseThrow(() -> new IllegalStateException("application in process "
                + process.pid() + ": not connected, state " + state + " (expected: connected); use kill"));
        try {
            open.send(LaunchMessage.STOP);
        } catch (IOException e) {
            throw new IllegalStateException(
                    "application in process " + process.pid() + ": its connection has ended (expected: open)", e);
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

    @Override
    public CompletionStage<LaunchEnd> exit() {
        return exit.minimalCompletionStage();
    }

    private void post(Runnable event) {
        try {
            events.put(event);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            LOG.log(System.Logger.Level.WARNING, "application in process " + process.pid() + ": an event is lost", e);
        }
    }

    private void run() {
        try {
            while (!abandoned && !(ended && !reading)) {
                long wait = remaining();
                Runnable event = events.poll(wait, TimeUnit.NANOSECONDS);
                if (event != null) {
                    event.run();
                } else if (ended) {
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
            exit.complete(new LaunchEnd(state, exitStatus, code, message));
        }
    }

    /** Nanoseconds until something must have happened; without a bound while the application runs. */
    private long remaining() {
        if (ended) {
            return LAST_WORDS.toNanos();
        }
        return state == LaunchState.UNKNOWN ? Math.max(0, connectNanos - System.nanoTime()) : Long.MAX_VALUE;
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

    private void received(LaunchMessage received) {
        switch (received.word()) {
            case LaunchMessage.APPLICATION -> {
                application = Optional.of(received.value(0));
                tell(listener -> listener.infoChanged(this));
            }
            case LaunchMessage.SUBMISSION -> {
                submission = Optional.of(received.value(0));
                tell(listener -> listener.infoChanged(this));
            }
            case LaunchMessage.STATE ->
                Arrays.stream(LaunchState.values())
                        .filter(known -> known.name().equals(received.value(0)))
                        .forEach(this::move);
            case LaunchMessage.END -> {
                code = received.value(0);
                message = received.value(1);
            }
            default -> LOG.log(System.Logger.Level.DEBUG, "launched process: unknown message {0}", received.word());
        }
    }

    /** Moves to {@code next} if that may follow, and informs the listeners. */
    private void move(LaunchState next) {
        if (state.leadsTo(next)) {
            state = next;
            tell(listener -> listener.stateChanged(this));
        }
    }

    private void tell(Consumer<LaunchListener> call) {
        for (LaunchListener listener : listeners) {
            try {
                call.accept(listener);
            } catch (RuntimeException e) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        "listener of application in process " + process.pid() + " failed",
                        e);
            }
        }
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
