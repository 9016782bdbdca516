package dev.hearth.kubernetes.internal.api;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;

/**
 * The API server of a cluster, seen from one namespace. Calls do not block; each answer arrives once, on any thread. No
 * request is repeated here. The one seam between decisions and the client library: production uses the client of
 * fabric8, tests use a simulated API server.
 */
public interface ApiServer extends AutoCloseable {
    /** Maximum number of objects on a page of a list. */
    int PAGE_MAX = 500;

    String namespace();

    void create(ApiObject object, Consumer<Answer> answer);

    /**
     * Deletes one object; if {@code uid} is given, only the object with this uid. {@code graceSeconds} overrides the
     * time that a pod has to end.
     */
    void delete(
            Resource resource, String name, Optional<String> uid, OptionalInt graceSeconds, Consumer<Answer> answer);

    /** Deletes one object as it was seen: refused as a conflict if it has changed since, or is another one of that name. */
    void deleteUnchanged(Resource resource, ObjectFacts seen, Consumer<Answer> answer);

    /** Deletes all objects that match {@code selector}. */
    void deleteAll(Resource resource, String selector, OptionalInt graceSeconds, Consumer<Answer> answer);

    /** Applies {@code patch}, a JSON merge patch; refused as a conflict if it names another version than the current one. */
    void patch(Resource resource, String name, String patch, Consumer<Answer> answer);

    void read(Resource resource, String name, Consumer<Answer> answer);

    /** Lists objects that match {@code selector}; {@code next} is empty, or that of the page before. */
    void list(Resource resource, String selector, String next, Consumer<Answer> answer);

    /** Watches objects that match {@code selector} from {@code version} on, until it ends or is stopped. */
    Watch watch(Resource resource, String selector, String version, WatchListener listener);

    /** Reads the last {@code bytesMax} bytes of the log of a container. */
    void logTail(String pod, String container, int bytesMax, Consumer<Answer> answer);

    /** Reads the version of the server; its answer is a text that {@link ServerVersion#parse} reads. */
    void version(Consumer<Answer> answer);

    /**
     * Connects to {@code port} at the loopback address of a pod. Blocks. Fails with the reason if the API server refuses
     * or does not answer.
     */
    ForwardedPort forward(String pod, int port) throws IOException;

    @Override
    void close();

    /** Connection to a port of a pod. Used by one thread. */
    interface ForwardedPort extends Closeable {
        InputStream in();

        OutputStream out();
    }

    /** Running watch. After {@link #stop}, its listener may still receive events that were under way. */
    @FunctionalInterface
    interface Watch {
        void stop();
    }

    /** Receives the events of a watch, on any thread, in order. */
    interface WatchListener {
        /** An object was added or modified. */
        void changed(ObjectFacts object);

        void deleted(ObjectFacts object);

        /** Nothing changed up to {@code version}. */
        void bookmark(String version);

        /** The watch has ended; {@code end} is {@link Answer.Done} if the server ended it after its time. */
        void ended(Answer end);
    }
}
