package dev.hearth.rest.internal;

import dev.hearth.spi.cluster.ClusterClient;
import java.util.List;

/** Texts of the protocol that clients of Spark know, byte for byte. Stateless. */
final class V1Texts {
    static final String VERSION = "v1";
    static final String CREATE_REQUEST = "CreateSubmissionRequest";
    static final String CREATE_RESPONSE = "CreateSubmissionResponse";
    static final String KILL_RESPONSE = "KillSubmissionResponse";
    static final String KILL_ALL_RESPONSE = "KillAllSubmissionResponse";
    static final String STATUS_RESPONSE = "SubmissionStatusResponse";
    static final String CLEAR_RESPONSE = "ClearResponse";
    static final String READY_RESPONSE = "ReadyzResponse";
    static final String ERROR_RESPONSE = "ErrorResponse";

    /** Actions of all messages but the only request. */
    static final List<String> RESPONSES = List.of(
            CREATE_RESPONSE,
            KILL_RESPONSE,
            KILL_ALL_RESPONSE,
            STATUS_RESPONSE,
            CLEAR_RESPONSE,
            READY_RESPONSE,
            ERROR_RESPONSE);

    /** Main class of requests whose arguments are the command line of a submission. */
    static final String SUBMIT_CLASS = "org.apache.spark.deploy.SparkSubmit";

    static final String KILLED_ALL = "Kill request for all drivers submitted";
    static final String NOT_READY = "Master is not ready.";
    static final String NO_RESOURCE = "Valid application jar path is required";
    static final String NO_MAIN_CLASS = "Main class is missing.";
    static final String NO_PROPERTIES = "No Spark properties set!";
    private static final String WHERE = " Please submit requests through http://[host]:[port]/v1/submissions/...";
    static final String NO_VERSION = "Missing protocol version." + WHERE;
    static final String NO_PREFIX = "Missing the /submissions prefix." + WHERE;
    static final String NO_ACTION =
            "Missing an action: please specify one of /create, /kill, /killall, /clear, /status, or /readyz." + WHERE;

    private V1Texts() {}

    static String unknownVersion(String version) {
        return "Unknown protocol version '" + version + "'." + WHERE;
    }

    static String noId(String action) {
        return "Submission ID is missing in " + action + " request.";
    }

    static String submitted(String id) {
        return "Driver successfully submitted as " + id;
    }

    static String killed(String id) {
        return "Kill request for " + id + " submitted";
    }

    static String notThere(String id) {
        return "Driver " + id + " has already finished or does not exist";
    }

    static String malformed(String why) {
        return "Malformed request: " + why;
    }

    static String unexpected(String action) {
        return "Received message of unexpected type " + action + ".";
    }

    static String missing(String field) {
        return "'" + field + "' is missing in message " + CREATE_REQUEST + ".";
    }

    static String notOfType(String property, String type, String value) {
        return "Property '" + property + "' expected " + type + " value: actual was '" + value + "'.";
    }

    static String fromCluster(String message) {
        return "Exception from the cluster:\n" + message;
    }

    /** Answer of a master in {@code state}, which is not {@link ClusterClient#ALIVE}; {@code what} it cannot do. */
    static String notAlive(String state, String what) {
        return "Current state is not alive: " + state + ". Can only " + what + " in ALIVE state.";
    }
}
