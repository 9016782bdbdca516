package dev.hearth.kubernetes.internal.pod;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.hearth.kubernetes.internal.json.Json;
import dev.hearth.kubernetes.internal.verdict.Verdict;
import dev.hearth.kubernetes.internal.volumes.ClaimSpec;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.SettingsReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Additions of settings to the pods of one role: volumes, local directories, a template, patches, the profile of security,
 * and for executors a command that runs before a pod is ended. Immutable.
 */
public record PodAdditions(
        List<PodVolume> volumes,
        PodDirectories local,
        PodTemplate template,
        Optional<String> stopScript,
        Security security) {
    /** Time that remains for the processes of a pod after the command before its end. */
    static final int STOP_SECONDS = 5;

    static final String TEMPLATE_FILE = "podTemplateFile";
    static final String PATCH_FILES = "patchFile";

    private static final String PREFIX = "hearth.kubernetes.";
    private static final Role EXECUTOR =
            new Role("executor", Verdict.EXECUTOR_CONTAINER, Set.of(ApplicationPods.ORDERS));
    private static final Role DRIVER = new Role(
            "driver",
            DriverObjects.CONTAINER,
            Set.of(
                    ApplicationPods.ORDERS,
                    DriverObjects.INSTRUCTIONS,
                    DriverObjects.WORK_DIRECTORY,
                    DriverContent.FILES,
                    DriverContent.CREDENTIALS));
    private static final SettingKey<String> STOP_SCRIPT = SettingKey.text(
                    PREFIX + "decommission.script",
                    "",
                    "Program in the image that runs before the processes of an executor pod are ended.")
            .withoutDefault("sleep, so that the executor can finish its tasks and migrate its data");

    static final List<SettingKey<?>> KEYS = keys();

    /** Pod security standard; the names are those of Kubernetes. */
    public enum Security {
        baseline,
        restricted
    }

    public PodAdditions {
        volumes = List.copyOf(volumes);
    }

    /** Role of pods: its name in settings, the name of its container, and the paths of its own volumes. */
    private record Role(String name, String container, Set<String> paths) {
        SettingKey<String> volumes() {
            return PodVolumes.family(name);
        }

        SettingKey<String> template() {
            return SettingKey.text(
                            PREFIX + name + "." + TEMPLATE_FILE,
                            "",
                            "File with a template of " + name
                                    + " pods, in YAML or JSON: what Hearth does not set is taken from it.")
                    .withoutDefault();
        }

        SettingKey<String> ownContainer() {
            return SettingKey.text(
                            PREFIX + name + ".podTemplateContainerName",
                            "",
                            "Container of the template that is the " + name + "'s.")
                    .withoutDefault("the first one");
        }

        SettingKey<List<String>> patches() {
            return SettingKey.list(
                    PREFIX + name + "." + PATCH_FILES,
                    List.of(),
                    "Files with patches of " + name
                            + " pods, in YAML or JSON: their fields override all others, null removes one.");
        }

        SettingKey<Security> security() {
            return SettingKey.choice(
                    PREFIX + name + ".security",
                    Security.class,
                    Security.baseline,
                    "Which of the pod security standards of Kubernetes " + name
                            + " pods follow. With restricted, the image needs a user with a number other than 0, and its"
                            + " root is read-only.");
        }

        List<SettingKey<?>> keys() {
            return List.of(volumes(), template(), ownContainer(), patches(), security());
        }
    }

    /** Reads the settings of executors, and the small files that they name; {@code in} records the problems. */
    static PodAdditions ofExecutors(SettingsReader in) {
        return read(in, EXECUTOR, PodSettings.given(in, STOP_SCRIPT));
    }

    /** As {@link #ofExecutors}, of a driver that runs on the cluster. */
    static PodAdditions ofDriver(SettingsReader in) {
        return read(in, DRIVER, Optional.empty());
    }

    private static PodAdditions read(SettingsReader in, Role role, Optional<String> stopScript) {
        List<PodVolume> volumes = PodVolumes.read(in, role.volumes(), role.equals(EXECUTOR), role.paths());
        return new PodAdditions(
                volumes, PodDirectories.read(in, volumes), template(in, role), stopScript, in.read(role.security()));
    }

    private static PodTemplate template(SettingsReader in, Role role) {
        Optional<Path> file = PodSettings.given(in, role.template()).map(Path::of);
        Optional<String> container = PodSettings.given(in, role.ownContainer());
        in.expect(
                file.isPresent() || container.isEmpty(),
                role.ownContainer(),
                "a container of the template in " + role.template());
        List<Path> patches = in.read(role.patches()).stream().map(Path::of).toList();
        PodTemplate template = PodTemplate.NONE;
        try {
            template = PodTemplate.read(file, container, role.container());
        } catch (PodTemplate.MalformedException malformed) {
            in.expect(false, role.template(), "a template; " + malformed.getMessage());
        }
        try {
            template = template.with(patches, role.container());
        } catch (PodTemplate.MalformedException malformed) {
            in.expect(false, role.patches(), "patches; " + malformed.getMessage());
        }
        return template;
    }

    /** The claims that are created for a pod, with the access mode {@code mode}. */
    List<ClaimSpec> claims(String mode) {
        return volumes.stream()
                .filter(PodVolume::isOnDemand)
                .map(volume -> volume.claim(mode))
                .toList();
    }

    /** Whether claims are created for a pod. */
    public boolean hasClaims() {
        return volumes.stream().anyMatch(PodVolume::isOnDemand);
    }

    /** Adds the mounts of all volumes; {@code executor} is the number of the executor, or empty for a driver. */
    void addMounts(ArrayNode mounts, String executor) {
        if (!replacesTemporary()) {
            mounts.add(ApplicationPods.mount("hearth-tmp", ApplicationPods.TEMPORARY_DIRECTORY));
        }
        local.addMounts(mounts);
        volumes.forEach(volume -> mounts.add(volume.mount(executor)));
    }

    /** Adds the volumes; {@code claims} has the names of the claims on demand by volume. */
    void addVolumes(ArrayNode list, String executor, Map<String, String> claims) {
        if (!replacesTemporary()) {
            ObjectNode temporary = Json.named("hearth-tmp");
            temporary.putObject("emptyDir");
            list.add(temporary);
        }
        local.addVolumes(list);
        volumes.forEach(volume -> list.add(volume.volume(executor, claims)));
    }

    private boolean replacesTemporary() {
        return volumes.stream().anyMatch(volume -> volume.path().equals(ApplicationPods.TEMPORARY_DIRECTORY));
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

    /**
     * The settings of executors that name files of this machine, with the files that they name. A driver on
     * another machine needs the files there.
     */
    public static Map<String, List<String>> filesOfExecutors(SettingsReader in) {
        Map<String, List<String>> files = new LinkedHashMap<>();
        PodSettings.given(in, EXECUTOR.template())
                .ifPresent(file -> files.put(EXECUTOR.template().name(), List.of(file)));
        List<String> patches = in.read(EXECUTOR.patches());
        if (!patches.isEmpty()) {
            files.put(EXECUTOR.patches().name(), patches);
        }
        return files;
    }

    /** Settings of the driver's pod that name files of the submitter's machine, or parts of them. */
    public static List<String> ofSubmitterAlone() {
        return Stream.of(DRIVER.template(), DRIVER.ownContainer(), DRIVER.patches())
                .map(SettingKey::name)
                .toList();
    }

    private static List<SettingKey<?>> keys() {
        List<SettingKey<?>> keys = new ArrayList<>(EXECUTOR.keys());
        keys.addAll(DRIVER.keys());
        keys.add(STOP_SCRIPT);
        keys.add(PodDirectories.IN_MEMORY);
        return List.copyOf(keys);
    }
}
