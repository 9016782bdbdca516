package dev.hearth.kubernetes.internal.pod;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.SettingsReader;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Additions of settings to the pods of executors: volumes, a template, patches, a command that runs
 * before a pod is ended, and the profile of security. Immutable.
 */
public record PodAdditions(
        List<PodVolume> volumes, PodTemplate template, Optional<String> stopScript, Security security) {
    /** Time that remains for the processes of a pod after the command before its end. */
    static final int STOP_SECONDS = 5;

    private static final String PREFIX = "hearth.kubernetes.";
    private static final SettingKey<String> VOLUMES = PodVolumes.family("executor");
    private static final SettingKey<String> TEMPLATE = SettingKey.text(
                    PREFIX + "executor.podTemplateFile",
                    "",
                    "File with a template of executor pods, in YAML or JSON: what Hearth does not set is taken from it.")
            .withoutDefault();
    private static final SettingKey<String> CONTAINER = SettingKey.text(
                    PREFIX + "executor.podTemplateContainerName",
                    "",
                    "Container of the template that is the executor's.")
            .withoutDefault("the first one");
    private static final SettingKey<List<String>> PATCHES = SettingKey.list(
            PREFIX + "executor.patchFile",
            List.of(),
            "Files with patches of executor pods, in YAML or JSON: their fields override all others, null removes one.");
    private static final SettingKey<String> STOP_SCRIPT = SettingKey.text(
                    PREFIX + "decommission.script",
                    "",
                    "Program in the image that runs before the processes of an executor pod are ended.")
            .withoutDefault("sleep, so that the executor can finish its tasks and migrate its data");

    private static final SettingKey<Security> SECURITY = SettingKey.choice(
            PREFIX + "executor.security",
            Security.class,
            Security.baseline,
            "Which of the pod security standards of Kubernetes executor pods follow. With restricted, the image needs a user"
                    + " with a number other than 0, and its root is read-only.");

    static final List<SettingKey<?>> KEYS = List.of(VOLUMES, TEMPLATE, CONTAINER, PATCHES, STOP_SCRIPT, SECURITY);

    /** Pod security standard; the names are those of Kubernetes. */
    public enum Security {
        baseline,
        restricted
    }

    public PodAdditions {
        volumes = List.copyOf(volumes);
    }

    /** Reads the settings, and the small files that they name; {@code in} records the problems. */
    static PodAdditions read(SettingsReader in) {
        return new PodAdditions(
                PodVolumes.read(in, VOLUMES), template(in), PodSettings.given(in, STOP_SCRIPT), in.read(SECURITY));
    }

    private static PodTemplate template(SettingsReader in) {
        Optional<Path> file = PodSettings.given(in, TEMPLATE).map(Path::of);
        List<Path> patches = in.read(PATCHES).stream().map(Path::of).toList();
        PodTemplate template = PodTemplate.NONE;
        try {
            template = PodTemplate.read(file, PodSettings.given(in, CONTAINER));
        } catch (PodTemplate.MalformedException malformed) {
            in.expect(false, TEMPLATE, "a template; " + malformed.getMessage());
        }
        try {
            template = template.with(patches);
        } catch (PodTemplate.MalformedException malformed) {
            in.expect(false, PATCHES, "patches; " + malformed.getMessage());
        }
        return template;
    }

    /** Local directories of an executor: the paths of their volumes, or {@code otherwise}. */
    String localDirectories(String otherwise) {
        List<String> paths = localVolumes().map(PodVolume::path).toList();
        return paths.isEmpty() ? otherwise : String.join(",", paths);
    }

    boolean hasLocalDirectories() {
        return localVolumes().findAny().isPresent();
    }

    private Stream<PodVolume> localVolumes() {
        return volumes.stream().filter(PodVolume::isLocalDirectory);
    }

    /**
     * The command that runs before a pod with {@code graceSeconds} is ended; empty if there is no time. The driver sees
     * that the pod is to be deleted and decommissions the executor, whose end also ends this command.
     */
    List<String> stopCommand(long graceSeconds) {
        return stopScript
                .map(List::of)
                .orElseGet(() -> graceSeconds > STOP_SECONDS
                        ? List.of("sleep", String.valueOf(graceSeconds - STOP_SECONDS))
                        : List.of());
    }

    /** Adds the fields that the standard demands to the security context of a container. */
    void secure(ObjectNode context) {
        if (security == Security.restricted) {
            context.put("runAsNonRoot", true).put("readOnlyRootFilesystem", true);
            context.putObject("capabilities").putArray("drop").add("ALL");
            context.putObject("seccompProfile").put("type", "RuntimeDefault");
        }
    }
}
