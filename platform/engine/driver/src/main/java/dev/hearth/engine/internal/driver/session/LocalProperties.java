package dev.hearth.engine.internal.driver.session;

import dev.hearth.spi.error.ErrorCode;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The local properties that each application thread sets for its own jobs. A new thread inherits the properties of the
 * thread that creates it. The maps are immutable, so a change replaces the whole map.
 */
final class LocalProperties {
    static final String POOL = "hearth.scheduler.pool";
    private static final String GROUP = "hearth.jobGroup.id";
    private static final String DESCRIPTION = "hearth.job.description";
    private static final String INTERRUPT = "hearth.job.interruptOnCancel";
    private static final String TAGS = "hearth.job.tags";
    private static final String CALL_SITE = "hearth.callSite";
    private static final String SPARK_PREFIX = "spark.";
    private static final String PREFIX = "hearth.";
    private static final String TAG_SEPARATOR = ",";

    @SuppressWarnings("ThreadLocalUsage") // one per context, because a thread may use several contexts
    private final InheritableThreadLocal<Map<String, String>> properties = new InheritableThreadLocal<>() {
        @Override
        protected Map<String, String> initialValue() {
            return Map.of();
        }
    };

    /** All local properties that are set for the calling thread, by key. */
    Map<String, String> all() {
        return properties.get();
    }

    /**
     * Runs {@code body} with the properties {@code others}, for example those of another thread, and then restores the
     * previous properties.
     */
    void with(Map<String, String> others, Runnable body) {
        Map<String, String> own = properties.get();
        properties.set(others);
        try {
            body.run();
        } finally {
            properties.set(own);
        }
    }

    void set(String key, @Nullable String value) {
        Map<String, String> changed = new LinkedHashMap<>(properties.get());
        if (value == null) {
            changed.remove(canonical(key));
        } else {
            changed.put(canonical(key), value);
        }
        properties.set(Collections.unmodifiableMap(changed));
    }

    Optional<String> find(String key) {
        return Optional.ofNullable(properties.get().get(canonical(key)));
    }

    void group(String id, String description, boolean interruptOnCancel) {
        set(GROUP, id);
        set(DESCRIPTION, description);
        set(INTERRUPT, String.valueOf(interruptOnCancel));
    }

    void clearGroup() {
        set(GROUP, null);
        set(DESCRIPTION, null);
        set(INTERRUPT, null);
    }

    void describe(@Nullable String description) {
        set(DESCRIPTION, description);
    }

    void callSite(@Nullable String shown) {
        set(CALL_SITE, shown);
    }

    Optional<String> callSite() {
        return find(CALL_SITE);
    }

    Optional<String> group() {
        return find(GROUP);
    }

    String description() {
        return find(DESCRIPTION).orElse("");
    }

    boolean interruptOnCancel() {
        return find(INTERRUPT).map(Boolean::parseBoolean).orElse(false);
    }

    String pool() {
        return find(POOL).orElse("default");
    }

    List<String> tags() {
        return find(TAGS).map(tags -> Arrays.asList(tags.split(TAG_SEPARATOR))).orElseGet(List::of);
    }

    void addTag(String tag) {
        if (tag.isEmpty() || tag.contains(TAG_SEPARATOR)) {
            throw ErrorCode.BAD_ARGUMENT.failure("job tag: '" + tag + "' (expected: not empty, and without a comma)");
        }
        Set<String> tags = new LinkedHashSet<>(tags());
        tags.add(tag);
        set(TAGS, String.join(TAG_SEPARATOR, tags));
    }

    void removeTag(String tag) {
        Set<String> tags = new LinkedHashSet<>(tags());
        tags.remove(tag);
        set(TAGS, tags.isEmpty() ? null : String.join(TAG_SEPARATOR, tags));
    }

    void clearTags() {
        set(TAGS, null);
    }

    /** Translates a key of Spark to the corresponding key of Hearth; returns any other key unchanged. */
    private static String canonical(String key) {
        return key.startsWith(SPARK_PREFIX) ? PREFIX + key.substring(SPARK_PREFIX.length()) : key;
    }
}
