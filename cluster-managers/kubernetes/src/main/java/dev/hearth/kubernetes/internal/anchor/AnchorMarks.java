package dev.hearth.kubernetes.internal.anchor;

import dev.hearth.kubernetes.internal.api.ObjectFacts;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/** Annotations of anchors, and labels of the pods that belong to them. Pure. */
public final class AnchorMarks {
    /** Annotation of an anchor and label of a pod: the number of the driver among those of its application. */
    public static final String EPOCH = "hearth.dev/epoch";
    /** Annotation with the counter that the driver raises. */
    public static final String RENEWED = "hearth.dev/renewed";
    /** Annotation in which a sweep notes the counter it has seen, and when. */
    public static final String LOOKED = "hearth.dev/looked";

    private static final Pattern NUMBER = Pattern.compile("[1-9]\\d{0,17}");

    private AnchorMarks() {}

    /** The epoch of {@code anchor}; 1 if it has none. */
    static long epochOf(ObjectFacts anchor) {
        return number(anchor.annotation(EPOCH)).orElse(1);
    }

    /** The number from 1 on that {@code text} is; empty if it is none. */
    public static OptionalLong number(String text) {
        return NUMBER.matcher(text).matches() ? OptionalLong.of(Long.parseLong(text)) : OptionalLong.empty();
    }
}
