package dev.hearth.engine.internal.serializer;

import dev.hearth.engine.internal.closure.UserObjectSerializer;

/** The format of applications, which refuses records over a bound that tests reach. */
public final class ShortRecords {
    private ShortRecords() {}

    public static ApplicationRecordFormat of(UserObjectSerializer objects, int bytesMax) {
        return new ApplicationRecordFormat(objects, new ClassIdTable(), bytesMax);
    }
}
