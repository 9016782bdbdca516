package dev.hearth.api;

import dev.hearth.api.launch.ContextHolder;
import dev.hearth.api.launch.ContextRequest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An application's hold on its executors: makes datasets and runs jobs over them.
 * <p>Opened through {@link #builder()}; closing it gives the executors back. Safe for use by any thread of the application.
 */
public interface HearthContext extends AutoCloseable {
    static Builder builder() {
        return new Builder();
    }

    /** The id under which the cluster knows this application, for example {@code app-20261118094746-0000}. */
    String applicationId();

    String applicationName();

    /** The master URL this context was opened on, for example {@code local[2]}. */
    String master();

    /** How many tasks can run at once, as far as it is known; the number of partitions used where none is given. */
    int defaultParallelism();

    /** Cuts {@code elements} into {@code partitions} of nearly equal size; elements must be {@link java.io.Serializable}. */
    <T> Rdd<T> parallelize(List<? extends T> elements, int partitions);

    default <T> Rdd<T> parallelize(List<? extends T> elements) {
        return parallelize(elements, defaultParallelism());
    }

    /** Ends running jobs with an error, gives executors back, and waits until that is done. Later calls do nothing. */
    @Override
    void close();

    /** Collects what a context is opened with. A setting given here ranks above the command line's. */
    final class Builder {
        private String name = "";
        private final Map<String, String> settings = new LinkedHashMap<>();

        private Builder() {}

        public Builder name(String name) {
            this.name = name;
            return this;
        }

        public Builder setting(String key, String value) {
            settings.put(key, value);
            return this;
        }

        /** Where to run, for example {@code local[2]}; without it, what the launcher was told. */
        public Builder master(String url) {
            return setting("hearth.master", url);
        }

        public HearthContext open() {
            return ContextHolder.provider().open(new ContextRequest(name, settings));
        }
    }
}
