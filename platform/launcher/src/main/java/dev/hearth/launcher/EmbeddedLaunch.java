package dev.hearth.launcher;

import java.lang.reflect.InvocationTargetException;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.BiConsumer;

/** An application in this process, which the engine of hearth-embedded runs on threads and with classes of its own. */
final class EmbeddedLaunch extends FollowedLaunch {
    /**
     * Class of hearth-embedded with the method {@code start(List<String> words, BiConsumer<String, Object> report)}, which
     * returns what ends the application. Types of the JDK alone, because neither library depends on the other.
     */
    private static final String ENGINE = "dev.hearth.embedded.EmbeddedApplications";

    private volatile Runnable end = () -> {};
    private int exitStatus; // of the owner, as the following
    private boolean ended;
    private boolean abandoned;

    private EmbeddedLaunch(List<LaunchListener> listeners) {
        super("application in this process", listeners);
    }

    /** Starts the application of a command line as {@code bin/submit} takes it. */
    static LaunchHandle start(List<String> words, List<LaunchListener> listeners) {
        EmbeddedLaunch launch = new EmbeddedLaunch(listeners);
        BiConsumer<String, Object> report = (word, value) -> launch.post(() -> launch.reported(word, value));
        launch.end = (Runnable) invoke(words, report);
        LaunchServer.thread("hearth-launched-here", launch::run);
        return launch;
    }

    private static Object invoke(List<String> words, BiConsumer<String, Object> report) {
        try {
            return Class.forName(ENGINE)
                    .getMethod("start", List.class, BiConsumer.class)
                    .invoke(null, words, report);
        } catch (InvocationTargetException failed) {
            throw new IllegalStateException("engine in this process: " + failed.getCause(), failed.getCause());
        } catch (ReflectiveOperationException | LinkageError missing) {
            throw new IllegalStateException(
                    "engine in this process: " + missing
                            + " (expected: dev.hearth:hearth-embedded of the same release on"
                            + " the class path); add that dependency, or use Launcher",
                    missing);
        }
    }

    /** Ends the application: its contexts are closed, and its threads interrupted. */
    @Override
    public void stop() {
        end.run();
    }

    @Override
    public void kill() {
        stop();
    }

    @Override
    public void disconnect() {
        post(() -> abandoned = true);
    }

    private void run() {
        try {
            while (!ended && !abandoned) {
                runNext(Long.MAX_VALUE);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            move(LaunchState.LOST);
            complete(ended ? OptionalInt.of(exitStatus) : OptionalInt.empty());
        }
    }

    private void reported(String word, Object value) {
        switch (word) {
            case "error" -> failed((Throwable) value);
            case "exit" -> {
                exitStatus = (Integer) value;
                ended = true;
            }
            default -> received(LaunchMessage.parse(word + "\t" + value));
        }
    }
}
