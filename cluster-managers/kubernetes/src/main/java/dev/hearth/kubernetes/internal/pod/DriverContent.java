package dev.hearth.kubernetes.internal.pod;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.hearth.spi.net.Bytes;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Content of the secret of a submission: the launch orders of the driver, the instructions for its seat, the files that
 * it carries, and the credentials with which the driver calls the API server, by the names of their files. Immutable; its
 * text form names no value.
 */
public record DriverContent(
        String orders, String instructions, List<CarriedFile> files, Map<String, Bytes> credentials) {
    /** Directory of the driver with the files that the secret carries. */
    public static final String FILES = "/opt/hearth/files";
    /** Directory of the driver with the credentials of the submission, as in Spark. */
    public static final String CREDENTIALS = "/mnt/secrets/spark-kubernetes-credentials";

    static final String ORDERS_KEY = "orders";
    static final String INSTRUCTIONS_KEY = "instructions";

    /** File in the secret: the hash of its content, its name, and its content. */
    public record CarriedFile(String sha256, String name, Bytes content) {
        /** Path of the file in the driver's pod. */
        public String path() {
            return FILES + "/" + sha256 + "/" + name;
        }

        @Override
        public String toString() {
            return name + ", " + content.size() + " bytes";
        }
    }

    public DriverContent {
        files = List.copyOf(files);
        credentials = new LinkedHashMap<>(credentials);
    }

    /** The data of the secret, in Base64, by its keys. */
    Map<String, String> data() {
        Map<String, String> data = new LinkedHashMap<>();
        data.put(ORDERS_KEY, encoded(orders.getBytes(UTF_8)));
        data.put(INSTRUCTIONS_KEY, encoded(instructions.getBytes(UTF_8)));
        files.forEach(file -> data.put(file.sha256(), encoded(file.content().toArray())));
        credentials.forEach((name, content) -> data.put(name, encoded(content.toArray())));
        return data;
    }

    /** Number of bytes that the API server stores for this content. */
    public int bytes() {
        return data().entrySet().stream()
                .mapToInt(entry -> entry.getKey().length() + entry.getValue().length())
                .sum();
    }

    private static String encoded(byte[] content) {
        return Base64.getEncoder().encodeToString(content);
    }

    @Override
    public String toString() {
        return "orders, " + files + ", credentials " + credentials.keySet();
    }
}
