package dev.hearth.engine.internal.plan;

import dev.hearth.api.StorageLevel;

/** Which dataset a {@link StepKind#KEEP} step keeps, and how. */
public record Keeping(int dataset, StorageLevel level) {
    /** Where nothing is kept. */
    public static final Keeping NOTHING = new Keeping(-1, StorageLevel.NONE);
}
