package dev.hearth.shell.submit;

import dev.hearth.spi.cluster.SubmissionStatus;
import java.util.StringJoiner;
import java.util.TreeMap;

/**
 * Answers about submissions in the JSON of Spark's REST protocol, byte for byte: one field per line in alphabetical
 * order, with {@code " : "} between name and value, because programs split lines there. Used by one thread.
 */
final class SparkJson {
    private final TreeMap<String, String> fields = new TreeMap<>();

    private SparkJson(String action, String version, String submission, boolean success) {
        text("action", action).text("serverSparkVersion", version).text("submissionId", submission);
        fields.put("success", String.valueOf(success));
    }

    /** Answer about a submission that the cluster knows. {@code version} is that of this installation. */
    static String status(SubmissionStatus status, String version) {
        SparkJson json = new SparkJson(
                        "SubmissionStatusResponse", version, status.submission().value(), true)
                .text("driverState", status.state().name());
        DriverPlace.of(status)
                .ifPresent(place -> json.text("workerId", place.worker()).text("workerHostPort", place.address()));
        return (status.message().isEmpty() ? json : json.text("message", status.message())).print();
    }

    /** Answer about a submission that the cluster does not know. */
    static String unknown(String submission, String version) {
        return new SparkJson("SubmissionStatusResponse", version, submission, false).print();
    }

    /** Answer to a request to kill a submission. */
    static String kill(String submission, boolean success, String message, String version) {
        return new SparkJson("KillSubmissionResponse", version, submission, success)
                .text("message", message)
                .print();
    }

    private SparkJson text(String name, String value) {
        fields.put(name, SubmissionJson.quoted(value));
        return this;
    }

    private String print() {
        StringJoiner text = new StringJoiner(",\n  ", "{\n  ", "\n}");
        fields.forEach((name, value) -> text.add(SubmissionJson.quoted(name) + " : " + value));
        return text.toString();
    }
}
