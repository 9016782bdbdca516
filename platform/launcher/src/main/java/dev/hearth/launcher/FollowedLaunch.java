package dev.hearth.launcher;

import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
 * An application that this program follows. One thread of its own owns the state and calls the listeners. Other threads
 * send it events through a queue and read the published fields.
 */
abstract class FollowedLaunch implements LaunchHandle {
    /** Events that may wait for the owner; the source of events waits while there are so many. */
    private static final int QUEUE_MAX = 1_024;

    private static final System.Logger LOG = System.getLogger(FollowedLaunch.class.getName());

    private final String subject;
    private final List<LaunchListener> listeners = new CopyOnWriteArrayList<>();
    private final BlockingQueue<Runnable> events = new LinkedBlockingQueue<>(QUEUE_MAX);
    private final CompletableFuture<LaunchEnd> exit = new CompletableFuture<>();
    private volatile LaunchState state = LaunchState.UNKNOWN;
    private volatile Optional<String> application = Optional.empty();
    private volatile Optional<String> submission = Optional.empty();
    private volatile Optional<Throwable> error = Optional.empty();
    private volatile Map<String, String> links = Map.of();
    private String code = ""; // of the owner, as the following
    private String message = "";

    /** {@code subject} names the application in messages for users. */
    FollowedLaunch(String subject, List<LaunchListener> first) {
        this.subject = subject;
        listeners.addAll(first);
    }

    /** Name of the application in messages for users. */
    final String subject() {
        return subject;
    }

    @Override
    public final void addListener(LaunchListener listener) {
        listeners.add(listener);
    }

    @Override
    public final LaunchState state() {
        return state;
    }

    @Override
    public final Optional<String> applicationId() {
        return application;
    }

    @Override
    public final Optional<String> submissionId() {
        return submission;
    }

    @Override
    public final Map<String, String> links() {
        return links;
    }

    @Override
    public final Optional<Throwable> error() {
        return error;
    }

    @Override
    public final CompletionStage<LaunchEnd> exit() {
        return exit.minimalCompletionStage();
    }

    /** Lets the owner run {@code event}. */
    final void post(Runnable event) {
        try {
            events.put(event);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            LOG.log(System.Logger.Level.WARNING, subject + ": an event is lost", e);
        }
    }

    /** Runs the next event, which may come within {@code nanos}; returns false if none has come. */
    final boolean runNext(long nanos) throws InterruptedException {
        Runnable event = events.poll(nanos, TimeUnit.NANOSECONDS);
        if (event != null) {
            event.run();
        }
        return event != null;
    }

    /** Handles what the application, or its cluster, says about it. */
    final void received(LaunchMessage received) {
        switch (received.word()) {
            case LaunchMessage.APPLICATION -> {
                application = Optional.of(received.value(0));
                tell(listener -> listener.infoChanged(this));
            }
            case LaunchMessage.SUBMISSION -> submitted(received.value(0));
            case LaunchMessage.STATE ->
                Arrays.stream(LaunchState.values())
                        .filter(known -> known.name().equals(received.value(0)))
                        .forEach(this::move);
            case LaunchMessage.LINK -> linked(Map.of(received.value(0), received.value(1)));
            case LaunchMessage.END -> because(received.value(0), received.value(1));
            default -> LOG.log(System.Logger.Level.DEBUG, "launched process: unknown message {0}", received.word());
        }
    }

    final void submitted(String id) {
        submission = Optional.of(id);
        tell(listener -> listener.infoChanged(this));
    }

    final void linked(Map<String, String> more) {
        Map<String, String> all = new LinkedHashMap<>(links);
        all.putAll(more);
        links = Collections.unmodifiableMap(all);
    }

    /** Sets the cause with which the application ends. */
    final void because(String why, String text) {
        code = why;
        message = text;
    }

    final void failed(Throwable cause) {
        error = Optional.of(cause);
    }

    /** Moves to {@code next} if that may follow, and informs the listeners. */
    final void move(LaunchState next) {
        if (state.leadsTo(next)) {
            state = next;
            tell(listener -> listener.stateChanged(this));
        }
    }

    /** Completes {@link #exit}. */
    final void complete(OptionalInt exitStatus) {
        exit.complete(new LaunchEnd(state, exitStatus, code, message));
    }

    private void tell(Consumer<LaunchListener> call) {
        for (LaunchListener listener : listeners) {
            try {
                call.accept(listener);
            } catch (RuntimeException e) {
                LOG.log(System.Logger.Level.WARNING, "listener of " + subject + " failed", e);
            }
        }
    }
}
