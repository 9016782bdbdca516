package dev.hearth.engine.internal.record;

import dev.hearth.engine.internal.serial.UserObjects;

/** The format of applications, which refuses records over a bound that tests reach. */
public final class ShortRecords {
    private ShortRecords() {}

    public static ApplicationRecords of(UserObjects objects, int bytesMax) {
        return new ApplicationRecords(objects, new NumberedClasses(), bytesMax);
    }
}
