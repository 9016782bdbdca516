package dev.hearth.standalone.internal.rest;

import dev.hearth.spi.cluster.MachineSettings;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.cluster.SubmissionResource;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.standalone.internal.json.JsonBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Request of the REST protocol to start the driver of a submission, in JSON. Stateless. */
final class CreateRequestWriter {
    private static final String OURS = "hearth.";
    private static final String SPARKS = "spark.";
    private static final String JARS = SPARKS + "jars";
    /** Settings for connections to this installation's clusters, which no other server gets. */
    private static final List<String> KEPT = List.of("hearth.ssl.", "hearth.authenticate", "hearth.rest.token");

    private CreateRequestWriter() {}

    /** Fails with {@code BAD_ARGUMENT} if no main class is known: the server does not read the jar. */
    static String of(SubmissionPlan plan, MasterUrl master) {
        if (plan.mainClass().isEmpty()) {
            throw ErrorCode.BAD_ARGUMENT.failure("application: no main class for a submission by REST (expected:"
                    + " --class NAME); name the main class");
        }
        JsonBuilder environment = new JsonBuilder();
        plan.environment().forEach(environment::text);
        JsonBuilder properties = new JsonBuilder();
        properties(plan, master).forEach(properties::text);
        return new JsonBuilder()
                .text("action", "CreateSubmissionRequest")
                .texts("appArgs", plan.arguments())
                .text("appResource", jar(plan).orElse(""))
                .text("clientSparkVersion", "hearth")
                .object("environmentVariables", environment)
                .text("mainClass", plan.mainClass())
                .object("sparkProperties", properties)
                .toString();
    }

    private static Map<String, String> properties(SubmissionPlan plan, MasterUrl master) {
        Map<String, String> properties = new TreeMap<>();
        MachineSettings.without(plan.settings().values()).forEach((key, value) -> {
            if (key.startsWith(OURS) && KEPT.stream().noneMatch(key::startsWith)) {
                properties.put(SPARKS + key.substring(OURS.length()), value);
            }
        });
        properties.put(SPARKS + "master", "spark://" + master.rest());
        properties.put(SPARKS + "app.name", plan.name());
        List<String> jars = new ArrayList<>();
        Optional.ofNullable(properties.get(JARS))
                .filter(text -> !text.isBlank())
                .ifPresent(jars::add);
        jar(plan).ifPresent(jars::add); // executors of Spark take the application's jar from there
        if (!jars.isEmpty()) {
            properties.put(JARS, jars.stream().collect(Collectors.joining(",")));
        }
        return properties;
    }

    private static Optional<String> jar(SubmissionPlan plan) {
        return plan.applicationJar().map(SubmissionResource::uri).map(String::valueOf);
    }
}
