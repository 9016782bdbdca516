package dev.hearth.standalone.internal.master;

import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.SettingsReader;
import java.util.IllegalFormatException;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.function.Consumer;

/**
 * Forms of the ids that a master gives. A pattern is that of a Java formatter, with the time of the submission as its first
 * value and a number as its second. Immutable.
 */
record IdSettings(
        String driverPattern,
        String applicationPattern,
        OptionalInt applicationModulo,
        boolean namesApplicationIds,
        boolean namesApplicationsAfterDrivers) {
    private static final String STAMP = "20261118094746";
    private static final String RULE = "a pattern with the time as its first value and a number as its second, such as"
            + " `%s`; what it makes consists of letters, digits, '-', '_', '.' and ':', and differs with the number";

    private static final SettingKey<String> DRIVER_PATTERN = SettingKey.text(
                    "hearth.deploy.driverIdPattern",
                    "driver-%s-%04d",
                    "The form of the ids of drivers. Programs that look for ids in the output of submissions expect the"
                            + " default.")
            .obeying(RULE.replace("%s", "driver-%s-%04d"), text -> isPattern(text, id -> new SubmissionId(id)));
    private static final SettingKey<String> APPLICATION_PATTERN = SettingKey.text(
                    "hearth.deploy.appIdPattern", "app-%s-%04d", "The form of the ids of applications.")
            .obeying(RULE.replace("%s", "app-%s-%04d"), text -> isPattern(text, id -> new ApplicationId(id)));
    private static final SettingKey<Integer> APPLICATION_MODULO = SettingKey.integer(
                    "hearth.deploy.appNumberModulo",
                    10_000,
                    1,
                    Integer.MAX_VALUE,
                    "Number of applications after which the numbers in their ids begin again.")
            .withoutDefault("they never do");
    private static final SettingKey<Boolean> NAMED_IDS = SettingKey.flag(
            "hearth.master.useAppNameAsAppId.enabled",
            false,
            "Whether the id of an application is its name in lower case without blanks.");
    private static final SettingKey<Boolean> NAMED_AFTER_DRIVERS = SettingKey.flag(
            "hearth.master.useDriverIdAsAppName.enabled",
            false,
            "Whether the application of a driver that a worker runs is named after the id of the driver.");

    static final List<SettingKey<?>> KEYS =
            List.of(DRIVER_PATTERN, APPLICATION_PATTERN, APPLICATION_MODULO, NAMED_IDS, NAMED_AFTER_DRIVERS);

    static IdSettings read(SettingsReader in) {
        return new IdSettings(
                in.read(DRIVER_PATTERN),
                in.read(APPLICATION_PATTERN),
                in.find(APPLICATION_MODULO).map(OptionalInt::of).orElseGet(OptionalInt::empty),
                in.read(NAMED_IDS),
                in.read(NAMED_AFTER_DRIVERS));
    }

    String driver(String stamp, int number) {
        return make(driverPattern, stamp, number);
    }

    String application(String stamp, int number) {
        return make(
                applicationPattern,
                stamp,
                applicationModulo.isPresent() ? number % applicationModulo.getAsInt() : number);
    }

    private static String make(String pattern, String stamp, int number) {
        return String.format(Locale.ROOT, pattern, stamp, number);
    }

    private static boolean isPattern(String text, Consumer<String> require) {
        try {
            require.accept(make(text, STAMP, Integer.MAX_VALUE));
            return !make(text, STAMP, 0).equals(make(text, STAMP, 1));
        } catch (IllegalFormatException notAPattern) {
            return false;
        } catch (IllegalArgumentException notAnId) {
            return false;
        }
    }
}
