package dev.hearth.engine.internal.serializer;

import dev.hearth.engine.internal.closure.UserObjectSerializer;

/** The record format with a bound on record size that tests can reach. */
public final class ShortRecords {
    private ShortRecords() {}

    public static ApplicationRecordFormat of(UserObjectSerializer objects, int bytesMax) {
        return new ApplicationRecordFormat(objects, new ClassIdTable(), bytesMax);
    }
}
