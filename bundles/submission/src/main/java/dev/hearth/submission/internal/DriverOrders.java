package dev.hearth.submission.internal;

import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.settings.Settings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the parent of a driver process orders: an application, its arguments, and settings. */
final class DriverOrders {
    private static final String PREFIX = "hearth.submission.";
    private static final String MAIN_CLASS = PREFIX + "mainClass";
    private static final String JAR = PREFIX + "jar";
    private static final String ARGUMENT = PREFIX + "argument.";

    private DriverOrders() {}

    /** The plan in {@code orders}, whose settings rank above those of the installation. */
    static SubmissionPlan read(Map<String, String> orders, Settings installation) {
        Map<String, String> given = new LinkedHashMap<>(orders);
        given.keySet().removeIf(key -> key.startsWith(PREFIX));
        Settings settings = installation.with("submission", given);
        String mainClass = require(orders, MAIN_CLASS);
        return new SubmissionPlan(
                settings.find("hearth.app.name").orElse(mainClass),
                mainClass,
                require(orders, JAR),
                jars(settings),
                arguments(orders),
                settings);
    }

    private static List<String> jars(Settings settings) {
        List<String> jars = new ArrayList<>();
        for (String jar : settings.find("hearth.jars").orElse("").split(",", -1)) {
            if (!jar.isBlank()) {
                jars.add(jar.trim());
            }
        }
        return jars;
    }

    private static List<String> arguments(Map<String, String> orders) {
        List<String> arguments = new ArrayList<>();
        for (String argument = orders.get(ARGUMENT + 0);
                argument != null;
                argument = orders.get(ARGUMENT + arguments.size())) {
            arguments.add(argument);
        }
        return arguments;
    }

    private static String require(Map<String, String> orders, String key) {
        String value = orders.get(key);
        if (value == null) {
            throw ErrorCode.BAD_ARGUMENT.failure("order " + key
                    + ": none (expected: from the process that starts a driver); use bin/submit --deploy-mode cluster");
        }
        return value;
    }
}
