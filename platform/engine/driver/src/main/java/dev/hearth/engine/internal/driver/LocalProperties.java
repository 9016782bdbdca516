package dev.hearth.engine.internal.driver;

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
 * What each thread has set for the jobs it starts. A thread begins with what the thread that made it had then. Maps are never
 * changed once they are here: a change is a new map.
 */
final class LocalProperties {
    static final String POOL = "hearth.scheduler.pool";
    private static final String GROUP = "hearth.jobGroup.id";
    private static final String DESCRIPTION = "hearth.job.description";
    private static final String INTERRUPT = "hearth.job.interruptOnCancel";
    private static final String TAGS = "hearth.job.tags";
    private static final String CALL_SITE = "hearth.callSite";
    private static final String FIELD_PREFIX = "spark.";
    private static final String PREFIX = "hearth.";
    private static final String TAG_SEPARATOR = ",";

    @SuppressWarnings("ThreadLocalUsage") // of a context: another one in the same thread has its own
    private final InheritableThreadLocal<Map<String, String>> mine = new InheritableThreadLocal<>() {
        @Override
        protected Map<String, String> initialValue() {
            return Map.of();
        }
    };

    /** Everything the calling thread has set. */
    Map<String, String> all() {
        return mine.get();
    }

    /** Does something under what a thread had set, that this one has not. */
    void under(Map<String, String> others, Runnable body) {
        Map<String, String> own = mine.get();
        mine.set(others);
        try {
            body.run();
        } finally {
            mine.set(own);
        }
    }

    void set(String key, @Nullable String value) {
        Map<String, String> changed = new LinkedHashMap<>(mine.get());
        if (value == null) {
            changed.remove(known(key));
        } else {
            changed.put(known(key), value);
        }
        mine.set(Collections.unmodifiableMap(changed));
    }

    Optional<String> find(String key) {
        return Optional.ofNullable(mine.get().get(known(key)));
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

    /** Keys of the field mean ours. */
    private static String known(String key) {
        return key.startsWith(FIELD_PREFIX) ? PREFIX + key.substring(FIELD_PREFIX.length()) : key;
    }
}
