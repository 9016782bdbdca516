package dev.hearth.shell.submit;

import dev.hearth.spi.application.ApplicationSettings;
import dev.hearth.spi.cluster.MachineSettings;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.cluster.SubmissionResource;
import dev.hearth.spi.cluster.SubmissionResource.Kind;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Request to submit a plan through another process, in JSON. Settings for connections of this process stay here. Stateless. */
final class ViaRequestBody {
    private static final List<String> KEPT =
            List.of("hearth.ssl.", "hearth.authenticate", "hearth.rest.", "hearth.submit.", "hearth.log.");

    private ViaRequestBody() {}

    /** The request for {@code plan}; {@code master} is empty if its user names none. */
    static String of(SubmissionPlan plan, Optional<String> master) {
        Map<String, String> properties = new TreeMap<>();
        MachineSettings.without(plan.settings().values()).forEach((key, value) -> {
            if (key.startsWith(Settings.PREFIX) && KEPT.stream().noneMatch(key::startsWith)) {
                properties.put(key, value);
            }
        });
        properties.remove(ApplicationSettings.MASTER.name());
        master.ifPresent(url -> properties.put(ApplicationSettings.MASTER.name(), url));
        put(properties, ApplicationSettings.JARS, plan.resources(Kind.JAR));
        put(properties, ApplicationSettings.FILES, plan.resources(Kind.FILE));
        put(properties, ApplicationSettings.ARCHIVES, plan.resources(Kind.ARCHIVE));
        StringJoiner arguments = new StringJoiner(",", "[", "]");
        plan.arguments().forEach(argument -> arguments.add(quoted(argument)));
        return "{\"action\":\"CreateSubmissionRequest\",\"clientSparkVersion\":\"hearth\",\"appResource\":"
                + quoted(plan.applicationJar()
                        .map(SubmissionResource::uri)
                        .map(String::valueOf)
                        .orElse(""))
                + ",\"mainClass\":" + quoted(plan.mainClass())
                + ",\"appArgs\":" + arguments
                + ",\"environmentVariables\":" + object(plan.environment())
                + ",\"sparkProperties\":" + object(properties) + "}";
    }

    private static void put(
            Map<String, String> properties, SettingKey<List<String>> key, Collection<SubmissionResource> resources) {
        if (!resources.isEmpty()) {
            properties.put(
                    key.name(),
                    resources.stream().map(SubmissionResource::toString).collect(Collectors.joining(",")));
        }
    }

    private static String object(Map<String, String> fields) {
        StringJoiner text = new StringJoiner(",", "{", "}");
        fields.forEach((name, value) -> text.add(quoted(name) + ":" + quoted(value)));
        return text.toString();
    }

    private static String quoted(String text) {
        return SubmissionJson.quoted(text);
    }
}
