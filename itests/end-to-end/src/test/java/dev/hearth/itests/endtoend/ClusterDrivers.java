package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Submissions of small drivers in cluster mode by bin/submit. */
final class ClusterDrivers {
    private static final Pattern ACCEPTED = Pattern.compile("submitted as (driver-\\d{14}-\\d{4,})");

    private ClusterDrivers() {}

    /** Arguments of bin/submit that begin the program {@code type} of the tests' applications. */
    static List<String> arguments(
            Installation installation,
            String url,
            boolean waits,
            boolean supervised,
            String type,
            String... arguments) {
        List<String> all = new ArrayList<>(List.of(
                "--master",
                url,
                "--deploy-mode",
                "cluster",
                "--driver-memory",
                "64m",
                "--conf",
                "hearth.standalone.submit.waitAppCompletion=" + waits,
                "--conf",
                "hearth.driver.supervise=" + supervised,
                "--class",
                "dev.hearth.itests.endtoend.app." + type,
                installation.applications().toString()));
        all.addAll(List.of(arguments));
        return all;
    }

    /** Whether a submission was acknowledged by now. */
    static boolean isAccepted(Launched submitted) {
        return ACCEPTED.matcher(submitted.errors()).find();
    }

    /** Waits for a submission to succeed, and returns its id. */
    static String id(Launched submitted) throws InterruptedException {
        assertEquals(0, submitted.status(), submitted::errors);
        Matcher line = ACCEPTED.matcher(submitted.errors());
        assertTrue(line.find(), submitted::errors);
        return line.group(1);
    }

    /** Submits a driver that signs in to {@code record} until the file {@code stop} exists; returns its id when it has begun. */
    static String begin(
            Installation installation, MasterGroup masters, boolean supervised, PresenceRecord record, String stop)
            throws Exception {
        String[] arguments = arguments(
                        installation,
                        masters.url(),
                        false,
                        supervised,
                        "SignsIn",
                        record.file().toString(),
                        stop)
                .toArray(String[]::new);
        try (Launched submitted = installation.submit(arguments)) {
            String id = id(submitted);
            record.await(1, List.of(masters.process(0)));
            return id;
        }
    }
}
