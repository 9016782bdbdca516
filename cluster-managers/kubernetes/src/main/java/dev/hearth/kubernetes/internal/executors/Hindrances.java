package dev.hearth.kubernetes.internal.executors;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/** Reasons why executors do not start, by source; the first source with a reason is reported. Owned by {@link PodAllocator}. */
final class Hindrances {
    private final Map<Source, String> reasons = new EnumMap<>(Source.class);
    private String reported = "";

    enum Source {
        /** The API server does not answer. */
        SERVER,
        /** The API server refuses pods. */
        CREATION,
        /** The API server refuses claims of volumes, or executors wait for those of others. */
        CLAIMS,
        /** The image cannot be used. */
        IMAGE,
        /** The scheduler finds no node. */
        SCHEDULER,
        /** Executors end before they register. */
        EARLY_END
    }

    void set(Source source, String reason) {
        reasons.put(source, reason);
    }

    /** Sets {@code reason} unless the source has one, so that the pods of one fault do not take turns. */
    void setFirst(Source source, String reason) {
        reasons.putIfAbsent(source, reason);
    }

    void clear(Source source) {
        reasons.remove(source);
    }

    /** The reason to report, if it differs from the last one. */
    Optional<String> change() {
        String now = reasons.values().stream().findFirst().orElse("");
        boolean changed = !now.equals(reported);
        reported = now;
        return changed ? Optional.of(now) : Optional.empty();
    }
}
