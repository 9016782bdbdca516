package dev.hearth.kubernetes.internal.pod;

import dev.hearth.kubernetes.internal.pod.PodVolume.Kind;
import dev.hearth.kubernetes.internal.volumes.VolumeSize;
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

/**
 * Reads the volumes of the pods of one role, {@code hearth.kubernetes.ROLE.volumes.KIND.NAME.*}, as Spark has them. A
 * volume that the API server would refuse, or for which a pod would wait in vain, is recorded as a problem.
 */
final class PodVolumes {
    private static final Pattern MEMBER = Pattern.compile("(hostPath|persistentVolumeClaim|emptyDir|nfs)\\.([^.]+)"
            + "\\.((?:mount|options)\\.\\w+|(?:label|annotation)\\..+)");
    private static final Pattern NAME = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");
    private static final Pattern CLAIM = Pattern.compile("[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?");
    private static final Pattern MEDIUM = Pattern.compile("|Memory|HugePages(-\\d+[MG]i)?");
    private static final Set<String> HOST_TYPES =
            Set.of("", "DirectoryOrCreate", "Directory", "FileOrCreate", "File", "Socket", "CharDevice", "BlockDevice");
    private static final BigDecimal SIZE_LEAST = BigDecimal.valueOf(1024);
    private static final Set<String> MOUNT = Set.of("path", "subPath", "subPathExpr", "readOnly");
    private static final Map<Kind, Set<String>> OPTIONS = Map.of(
            Kind.hostPath, Set.of("path", "type"),
            Kind.persistentVolumeClaim, Set.of("claimName", "storageClass", "sizeLimit"),
            Kind.emptyDir, Set.of("medium", "sizeLimit"),
            Kind.nfs, Set.of("path", "server"));
    private static final Map<Kind, Set<String>> NEEDED = Map.of(
            Kind.hostPath, Set.of("path"),
            Kind.persistentVolumeClaim, Set.of("claimName"),
            Kind.emptyDir, Set.of(),
            Kind.nfs, Set.of("path", "server"));
    /** Names of volumes that the pods of Hearth have anyway. */
    private static final Pattern OWN_NAMES = Pattern.compile("hearth-.*|kubernetes-credentials");

    private final SettingsReader in;
    private final SettingKey<String> family;
    private final boolean ofExecutors;
    private final Set<String> paths;
    private final Set<String> names = new HashSet<>();

    private PodVolumes(SettingsReader in, SettingKey<String> family, boolean ofExecutors, Set<String> ownPaths) {
        this.in = in;
        this.family = family;
        this.ofExecutors = ofExecutors;
        this.paths = new HashSet<>(ownPaths);
    }

    /** The settings of the volumes of {@code role}. */
    static SettingKey<String> family(String role) {
        return SettingKey.family(
                "hearth.kubernetes." + role + ".volumes.*",
                "Volumes of " + role + " pods: KIND.NAME.mount.path, mount.subPath, mount.subPathExpr, mount.readOnly,"
                        + " options of the kind, and for claims on demand label.KEY and annotation.KEY. Those named"
                        + " spark-local-dir-* are local directories.",
                "hostPath, persistentVolumeClaim, emptyDir or nfs, a name, and mount.*, options.*, label.* or"
                        + " annotation.*",
                (member, value) -> MEMBER.matcher(member).matches());
    }

    /**
     * Reads the volumes of {@code family}, ordered by name; {@code in} records the problems. Nothing may be mounted at
     * {@code ownPaths}.
     */
    static List<PodVolume> read(
            SettingsReader in, SettingKey<String> family, boolean ofExecutors, Set<String> ownPaths) {
        Map<String, Map<String, String>> members = new TreeMap<>();
        in.readAll(family).forEach((member, value) -> {
            Matcher parts = MEMBER.matcher(member);
            if (parts.matches()) {
                members.computeIfAbsent(parts.group(1) + "." + parts.group(2), any -> new TreeMap<>())
                        .put(parts.group(3), value.strip());
            }
        });
        PodVolumes reading = new PodVolumes(in, family, ofExecutors, ownPaths);
        List<PodVolume> volumes = new ArrayList<>();
        members.forEach((volume, given) -> volumes.add(reading.volume(volume, given)));
        volumes.sort((one, other) -> one.name().compareTo(other.name()));
        return volumes;
    }

    private PodVolume volume(String prefix, Map<String, String> given) {
        Kind kind = Kind.valueOf(prefix.substring(0, prefix.indexOf('.')));
        String name = prefix.substring(prefix.indexOf('.') + 1);
        Map<String, Map<String, String>> groups = new TreeMap<>();
        given.forEach((member, value) -> groups.computeIfAbsent(
                        member.substring(0, member.indexOf('.')), any -> new TreeMap<>())
                .put(member.substring(member.indexOf('.') + 1), value));
        PodVolume volume = new PodVolume(
                kind,
                name,
                given.getOrDefault("mount.path", ""),
                given.getOrDefault("mount.subPath", ""),
                given.getOrDefault("mount.subPathExpr", ""),
                given.getOrDefault("mount.readOnly", "false").equals("true"),
                groups.getOrDefault("options", Map.of()),
                groups.getOrDefault("label", Map.of()),
                groups.getOrDefault("annotation", Map.of()));
        checkMount(prefix, volume, groups.getOrDefault("mount", Map.of()));
        checkOptions(prefix, volume);
        if (kind == Kind.persistentVolumeClaim) {
            checkClaim(prefix, volume);
        } else {
            expectNone(prefix, "label", volume.labels());
            expectNone(prefix, "annotation", volume.annotations());
        }
        return volume;
    }

    private void checkMount(String prefix, PodVolume volume, Map<String, String> mount) {
        mount.keySet()
                .forEach(
                        member -> expect(MOUNT.contains(member), prefix + ".mount." + member, "one of mount." + MOUNT));
        String path = prefix + ".mount.path";
        expect(
                NAME.matcher(volume.name()).matches()
                        && !OWN_NAMES.matcher(volume.name()).matches()
                        && names.add(volume.name()),
                path,
                "a volume named by small letters, digits and hyphens, as no other one and not as those of Hearth");
        expect(
                volume.path().matches("/[^:]+") && paths.add(volume.path()),
                path,
                "an absolute path that no other volume has");
        String readOnly = mount.getOrDefault("readOnly", "false");
        expect(
                readOnly.equals("false") || (readOnly.equals("true") && !volume.isLocalDirectory()),
                prefix + ".mount.readOnly",
                "true or false; local directories are written to");
        expect(
                volume.subPath().isEmpty() || volume.subPathExpression().isEmpty(),
                prefix + ".mount.subPathExpr",
                "either mount.subPath or mount.subPathExpr");
        expectBelow(prefix + ".mount.subPath", volume.subPath());
        expectBelow(prefix + ".mount.subPathExpr", volume.subPathExpression());
    }

    private void expectBelow(String member, String path) {
        boolean isBelow = !path.startsWith("/") && !List.of(path.split("/", -1)).contains("..");
        expect(isBelow, member, "a relative path without ..");
    }

    private void checkOptions(String prefix, PodVolume volume) {
        Map<String, String> options = volume.options();
        Set<String> known = OPTIONS.getOrDefault(volume.kind(), Set.of());
        options.keySet()
                .forEach(option ->
                        expect(known.contains(option), prefix + ".options." + option, "one of options." + known));
        NEEDED.getOrDefault(volume.kind(), Set.of())
                .forEach(needed ->
                        expect(!options.getOrDefault(needed, "").isEmpty(), prefix + ".options." + needed, "a value"));
        expect(
                volume.kind() != Kind.hostPath || HOST_TYPES.contains(options.getOrDefault("type", "")),
                prefix + ".options.type",
                "one of " + HOST_TYPES.stream().sorted().toList());
        expect(
                MEDIUM.matcher(options.getOrDefault("medium", "")).matches(),
                prefix + ".options.medium",
                "Memory, HugePages, or nothing for the disk of the node");
        if (options.containsKey("sizeLimit")) {
            expect(
                    VolumeSize.bytes(options.getOrDefault("sizeLimit", ""))
                            .filter(bytes -> bytes.compareTo(SIZE_LEAST) >= 0)
                            .isPresent(),
                    prefix + ".options.sizeLimit",
                    "a size of at least 1Ki, such as 10Gi; a number alone is one of bytes");
        }
    }

    private void checkClaim(String prefix, PodVolume volume) {
        String name = volume.options().getOrDefault("claimName", "");
        if (volume.isOnDemand()) {
            expect(
                    volume.options().containsKey("sizeLimit"),
                    prefix + ".options.sizeLimit",
                    "the size of the claims that are created, such as 10Gi");
            volume.labels()
                    .forEach((key, value) -> expect(
                            PodSettings.isKey(key)
                                    && PodSettings.LABEL_VALUE.matcher(value).matches()
                                    && !PodLabels.isReserved(key),
                            prefix + ".label." + key,
                            "a key and a value of Kubernetes that Hearth does not set itself"));
            volume.annotations()
                    .keySet()
                    .forEach(key ->
                            expect(PodSettings.isKey(key), prefix + ".annotation." + key, "a key of Kubernetes"));
            return;
        }
        String one = ofExecutors ? name.replace(PodVolume.EXECUTOR, "1") : name;
        expect(
                name.isEmpty() || CLAIM.matcher(one).matches(),
                prefix + ".options.claimName",
                "the name of a claim, or " + PodVolume.ON_DEMAND);
        for (String option : List.of("storageClass", "sizeLimit")) {
            expect(
                    !volume.options().containsKey(option),
                    prefix + ".options." + option,
                    "no such option for a claim that exists; " + PodVolume.ON_DEMAND + " creates claims");
        }
        expectNone(prefix, "label", volume.labels());
        expectNone(prefix, "annotation", volume.annotations());
    }

    private void expectNone(String prefix, String group, Map<String, String> given) {
        given.keySet()
                .forEach(key -> expect(
                        false,
                        prefix + "." + group + "." + key,
                        "options.claimName=" + PodVolume.ON_DEMAND + " for it"));
    }

    private void expect(boolean holds, String member, String rule) {
        in.expectMember(holds, family, member, rule);
    }
}
