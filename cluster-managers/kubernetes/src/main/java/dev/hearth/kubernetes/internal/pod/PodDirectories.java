package dev.hearth.kubernetes.internal.pod;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.hearth.kubernetes.internal.json.Json;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.SettingsReader;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Local directories of a driver or an executor: volumes whose names begin with {@code spark-local-dir-}, or else an empty
 * directory of the pod for each of {@code hearth.local.dir}. {@code empty} has the paths of the latter. Immutable.
 */
record PodDirectories(List<String> paths, List<String> empty, boolean inMemory) {
    /** Local directory of an application that names none. */
    static final String DEFAULT = "/var/data/hearth-local-0";

    /** Setting of all processes, which is declared elsewhere. */
    private static final SettingKey<List<String>> LOCAL_DIR =
            SettingKey.list("hearth.local.dir", List.of(DEFAULT), "Directories of temporary files.");

    static final SettingKey<Boolean> IN_MEMORY = SettingKey.flag(
            "hearth.kubernetes.local.dirs.tmpfs",
            false,
            "Whether local directories of drivers and executors are in memory.");

    private static final String NAME = "hearth-local-dir-";

    PodDirectories {
        paths = List.copyOf(paths);
        empty = List.copyOf(empty);
    }

    /** Reads the settings of a pod with {@code volumes}; {@code in} records the problems. */
    static PodDirectories read(SettingsReader in, List<PodVolume> volumes) {
        boolean inMemory = in.read(IN_MEMORY);
        List<String> mounted = volumes.stream()
                .filter(PodVolume::isLocalDirectory)
                .map(PodVolume::path)
                .toList();
        if (!mounted.isEmpty()) {
            return new PodDirectories(mounted, List.of(), inMemory);
        }
        Set<String> paths = new LinkedHashSet<>();
        in.read(LOCAL_DIR).forEach(path -> paths.add(path.strip()));
        paths.removeIf(String::isEmpty);
        in.expect(
                paths.stream().allMatch(path -> path.startsWith("/") && path.length() > 1),
                LOCAL_DIR,
                "absolute paths, where pods mount empty directories");
        List<String> empty = new ArrayList<>(paths.isEmpty() ? List.of(DEFAULT) : paths);
        volumes.forEach(volume -> empty.remove(volume.path())); // is a volume already
        empty.remove(ApplicationPods.TEMPORARY_DIRECTORY); // likewise
        return new PodDirectories(paths.isEmpty() ? List.of(DEFAULT) : List.copyOf(paths), empty, inMemory);
    }

    /** Value of {@code hearth.local.dir} in the pod. */
    String text() {
        return String.join(",", paths);
    }

    void addMounts(ArrayNode mounts) {
        for (int i = 0; i < empty.size(); i++) {
            mounts.add(ApplicationPods.mount(NAME + (i + 1), empty.get(i)));
        }
    }

    void addVolumes(ArrayNode volumes) {
        for (int i = 0; i < empty.size(); i++) {
            ObjectNode local = Json.named(NAME + (i + 1));
            ObjectNode directory = local.putObject("emptyDir");
            if (inMemory) {
                directory.put("medium", "Memory");
            }
            volumes.add(local);
        }
    }
}
