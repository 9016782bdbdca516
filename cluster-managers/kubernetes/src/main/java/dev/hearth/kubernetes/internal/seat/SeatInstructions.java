package dev.hearth.kubernetes.internal.seat;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.role.LaunchOrders;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Instructions of a submitter for the seat in its driver: the names of the submission's objects, and the files that are to
 * come before the application starts. {@code service} is empty if the driver deletes none. Immutable.
 */
public record SeatInstructions(
        String secret,
        String pod,
        String service,
        boolean annotates,
        String proof,
        List<Upload> uploads,
        List<Fetch> fetches) {
    private static final String UPLOAD = "upload.";
    private static final String FETCH = "fetch.";

    /** File that the submitter sends: the hash and the size of its content, and its path in the driver's pod. */
    public record Upload(String sha256, long bytes, String path) {}

    /** File that the driver fetches from {@code address}; {@code sha256} is empty if its content is not known. */
    public record Fetch(String address, String path, String sha256) {}

    public SeatInstructions {
        uploads = List.copyOf(uploads);
        fetches = List.copyOf(fetches);
    }

    /** Text form for the secret of the submission. */
    public String text() {
        Map<String, String> values = new LinkedHashMap<>();
        values.put("secret", secret);
        values.put("pod", pod);
        values.put("service", service);
        values.put("annotates", String.valueOf(annotates));
        values.put("proof", proof);
        for (int i = 0; i < uploads.size(); i++) {
            Upload upload = uploads.get(i);
            values.put(UPLOAD + i, upload.sha256() + " " + upload.bytes() + " " + upload.path());
        }
        for (int i = 0; i < fetches.size(); i++) {
            Fetch fetch = fetches.get(i);
            values.put(
                    FETCH + i,
                    (fetch.sha256().isEmpty() ? "-" : fetch.sha256()) + " " + fetch.address() + " " + fetch.path());
        }
        return LaunchOrders.of(values).text();
    }

    /** Reads the text form; fails with {@code BAD_ARGUMENT}. */
    public static SeatInstructions parse(String text) {
        Map<String, String> values;
        try {
            values = LaunchOrders.read(new BufferedReader(new StringReader(text)))
                    .values();
        } catch (IOException truncated) {
            throw ErrorCode.BAD_ARGUMENT.failure(
                    "instructions of the submission: " + truncated.getMessage() + " (expected: those that bin/submit"
                            + " wrote)",
                    truncated);
        }
        List<Upload> uploads = new ArrayList<>();
        for (String[] parts : numbered(values, UPLOAD)) {
            uploads.add(new Upload(parts[0], Long.parseLong(parts[1]), parts[2]));
        }
        List<Fetch> fetches = new ArrayList<>();
        for (String[] parts : numbered(values, FETCH)) {
            fetches.add(new Fetch(parts[1], parts[2], parts[0].equals("-") ? "" : parts[0]));
        }
        return new SeatInstructions(
                value(values, "secret"),
                value(values, "pod"),
                value(values, "service"),
                Boolean.parseBoolean(value(values, "annotates")),
                value(values, "proof"),
                uploads,
                fetches);
    }

    private static List<String[]> numbered(Map<String, String> values, String prefix) {
        List<String[]> found = new ArrayList<>();
        for (String value = values.get(prefix + 0); value != null; value = values.get(prefix + found.size())) {
            String[] parts = value.split(" ", 3);
            if (parts.length != 3 || (prefix.equals(UPLOAD) && !parts[1].matches("\\d{1,18}"))) {
                throw ErrorCode.BAD_ARGUMENT.failure(
                        "instructions of the submission, " + prefix + found.size()
                                + ": malformed (expected: three parts); install the submitter's version of Hearth in the image");
            }
            found.add(parts);
        }
        return found;
    }

    private static String value(Map<String, String> values, String key) {
        return Optional.ofNullable(values.get(key))
                .orElseThrow(() -> ErrorCode.BAD_ARGUMENT.failure("instructions of the submission, " + key
                        + ": missing (expected: a value); install the submitter's version of Hearth in the image"));
    }

    /** Text form without the proof. */
    @Override
    public String toString() {
        return "seat of pod " + pod + ", " + uploads.size() + " uploads, " + fetches.size() + " fetches";
    }
}
