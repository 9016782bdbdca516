package dev.hearth.engine.internal.dataset;

import dev.hearth.engine.internal.serial.Capture;

/** How the keys of a shuffle are spread over its readers. */
sealed interface Spread permits Spread.Hashed, Spread.Given, KeyRanges {
    /** The {@link dev.hearth.api.Partitioner}; none for hash codes. To be asked once it is decided. */
    Capture partitioner();

    /** Whether nothing is missing for {@link #partitioner}. */
    default boolean isDecided() {
        return true;
    }

    /** By hash codes. */
    record Hashed() implements Spread {
        @Override
        public Capture partitioner() {
            return Capture.NONE;
        }
    }

    /** As the user's partitioner says. */
    record Given(Capture partitioner) implements Spread {}
}
