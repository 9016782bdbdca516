package dev.hearth.kubernetes.internal.pod;

import dev.hearth.kubernetes.internal.pod.PodVolume.Kind;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.SettingsReader;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the volumes of the pods of one role, {@code hearth.kubernetes.ROLE.volumes.KIND.NAME.*}, as Spark has them. */
final class PodVolumes {
    private static final Pattern MEMBER =
            Pattern.compile("(hostPath|persistentVolumeClaim|emptyDir|nfs)\\.([^.]+)\\.(mount|options)\\.(\\w+)");
    private static final Pattern NAME = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");
    private static final Pattern BYTES = Pattern.compile("\\d+");
    private static final BigDecimal SIZE_LEAST = BigDecimal.valueOf(1024);
    private static final Set<String> MOUNT = Set.of("path", "subPath", "subPathExpr", "readOnly");
    private static final Map<Kind, Set<String>> OPTIONS = Map.of(
            Kind.hostPath, Set.of("path", "type"),
            Kind.persistentVolumeClaim, Set.of("claimName"),
            Kind.emptyDir, Set.of("medium", "sizeLimit"),
            Kind.nfs, Set.of("path", "server"));
    private static final Map<Kind, Set<String>> NEEDED = Map.of(
            Kind.hostPath, Set.of("path"),
            Kind.persistentVolumeClaim, Set.of("claimName"),
            Kind.emptyDir, Set.of(),
            Kind.nfs, Set.of("path", "server"));

    private final SettingsReader in;
    private final SettingKey<String> family;
    private final Set<String> paths = new HashSet<>();

    private PodVolumes(SettingsReader in, SettingKey<String> family) {
        this.in = in;
        this.family = family;
    }

    /** The settings of the volumes of {@code role}. */
    static SettingKey<String> family(String role) {
        return SettingKey.family(
                "hearth.kubernetes." + role + ".volumes.*",
                "Volumes of " + role + " pods: KIND.NAME.mount.path, mount.subPath, mount.subPathExpr, mount.readOnly,"
                        + " and options of the kind. Those named spark-local-dir-* are local directories.",
                "hostPath, persistentVolumeClaim, emptyDir or nfs, a name, and mount.* or options.*",
                (member, value) -> MEMBER.matcher(member).matches());
    }

    /** Reads the volumes of {@code family}, ordered by name; {@code in} records the problems. */
    static List<PodVolume> read(SettingsReader in, SettingKey<String> family) {
        Map<String, Map<String, String>> members = new TreeMap<>();
        in.readAll(family).forEach((member, value) -> {
            Matcher parts = MEMBER.matcher(member);
            if (parts.matches()) {
                members.computeIfAbsent(parts.group(1) + "." + parts.group(2), any -> new TreeMap<>())
                        .put(parts.group(3) + "." + parts.group(4), value.strip());
            }
        });
        PodVolumes reading = new PodVolumes(in, family);
        List<PodVolume> volumes = new ArrayList<>();
        members.forEach((volume, given) -> volumes.add(reading.volume(volume, given)));
        volumes.sort((one, other) -> one.name().compareTo(other.name()));
        return volumes;
    }

    private PodVolume volume(String prefix, Map<String, String> given) {
        Kind kind = Kind.valueOf(prefix.substring(0, prefix.indexOf('.')));
        String name = prefix.substring(prefix.indexOf('.') + 1);
        Map<String, String> options = new TreeMap<>();
        given.forEach((member, value) -> {
            String rest = member.substring(member.indexOf('.') + 1);
            boolean isMount = member.startsWith("mount.");
            expect(
                    isMount
                            ? MOUNT.contains(rest)
                            : OPTIONS.getOrDefault(kind, Set.of()).contains(rest),
                    prefix + "." + member,
                    isMount ? "one of mount." + MOUNT : "one of options." + OPTIONS.get(kind) + unsupported(rest));
            if (!isMount) {
                options.put(rest, value);
            }
        });
        String path = given.getOrDefault("mount.path", "");
        expect(
                NAME.matcher(name).matches(),
                prefix + ".mount.path",
                "a volume named by small letters, digits and hyphens");
        expect(
                path.startsWith("/") && paths.add(path),
                prefix + ".mount.path",
                "an absolute path that no other volume has");
        String subPath = given.getOrDefault("mount.subPath", "");
        String expression = given.getOrDefault("mount.subPathExpr", "");
        expect(
                subPath.isEmpty() || expression.isEmpty(),
                prefix + ".mount.subPathExpr",
                "either mount.subPath or mount.subPathExpr");
        NEEDED.getOrDefault(kind, Set.of())
                .forEach(needed ->
                        expect(!options.getOrDefault(needed, "").isEmpty(), prefix + ".options." + needed, "a value"));
        expect(
                !options.getOrDefault("claimName", "").equalsIgnoreCase("OnDemand"),
                prefix + ".options.claimName",
                "the name of a claim; claims are not created on demand yet");
        checkSize(prefix, options.getOrDefault("sizeLimit", ""));
        return new PodVolume(
                kind,
                name,
                path,
                subPath,
                expression,
                Boolean.parseBoolean(given.getOrDefault("mount.readOnly", "false")),
                options);
    }

    private void checkSize(String prefix, String size) {
        expect(
                !BYTES.matcher(size).matches() || new BigDecimal(size).compareTo(SIZE_LEAST) >= 0,
                prefix + ".options.sizeLimit",
                "at least 1Ki; a number alone is one of bytes, such as 1Gi is not");
    }

    private static String unsupported(String option) {
        return option.equals("storageClass") ? "; claims are not created on demand yet" : "";
    }

    private void expect(boolean holds, String member, String rule) {
        in.expectMember(holds, family, member, rule);
    }
}
