package dev.hearth.engine.internal.attachments;

import dev.hearth.spi.application.ApplicationSettings;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import dev.hearth.spi.storage.ApplicationStores;
import dev.hearth.spi.storage.FileName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files and archives that the settings {@code hearth.files} and {@code hearth.archives} of an application name.
 * Contexts attach them when they open; a driver that runs on a cluster has them in its working directory too. Entries
 * with the scheme {@code local} are on every machine already, so they are left where they are. Immutable.
 */
public final class CarriedFiles {
    private static final Logger LOG = LoggerFactory.getLogger(CarriedFiles.class);
    private static final String ON_EVERY_MACHINE = "local:";

    private final List<Carried> all;

    /** Entry of a setting: its path or URI without the alias, and the name under which the application finds it. */
    private record Carried(String subject, AttachmentKind kind, String path, String name) {
        static Carried of(String key, AttachmentKind kind, String entry) {
            String subject = key + ": '" + entry + "'";
            int sign = entry.lastIndexOf('#');
            String path = sign < 0 ? entry : entry.substring(0, sign);
            String name = sign < 0
                    ? AttachmentRegistry.plainName(subject, AttachmentSource.name(FileName.resolve(path)))
                    : AttachmentRegistry.plainName(subject, entry.substring(sign + 1));
            return new Carried(subject, kind, path, name);
        }

        /** Opens the file, or a copy of it in {@code directory} if it is not local. */
        AttachmentSource open(ApplicationStores stores, Path directory) {
            return AttachmentSource.openFile(
                    subject, path, stores, () -> directory.resolve(".fetched-" + UUID.randomUUID()));
        }
    }

    private CarriedFiles(List<Carried> all) {
        this.all = List.copyOf(all);
    }

    /** Reads the entries of both settings. Fails with {@code BAD_ARGUMENT} if an entry has no usable name. */
    public static CarriedFiles from(Settings settings) {
        SettingsReader in = new SettingsReader(settings);
        List<Carried> all = new ArrayList<>();
        read(in.read(ApplicationSettings.FILES), ApplicationSettings.FILES.name(), AttachmentKind.FILE, all);
        read(in.read(ApplicationSettings.ARCHIVES), ApplicationSettings.ARCHIVES.name(), AttachmentKind.ARCHIVE, all);
        return new CarriedFiles(all);
    }

    private static void read(List<String> entries, String key, AttachmentKind kind, List<Carried> all) {
        for (String entry : entries) {
            if (entry.startsWith(ON_EVERY_MACHINE)) {
                LOG.info("{}: {}: not sent, as local: says that every machine has it", key, entry);
            } else {
                all.add(Carried.of(key, kind, entry));
            }
        }
    }

    /** Attaches all files and archives, as the application itself would do. Fails as that does. */
    public void attach(AttachmentRegistry attachments) {
        for (Carried carried : all) {
            attachments.add(carried.subject, carried.kind, carried.path, carried.name);
        }
    }

    /**
     * Copies the files into {@code directory} and unpacks the archives there, each under its name. Fails with {@code
     * PATH_EXISTS} if something else has that name already, and with {@code DISK_FAILED} if there is no space. Reads the
     * files from {@code stores}.
     */
    public void place(Path directory, ApplicationStores stores) {
        Map<String, Carried> placed = new LinkedHashMap<>();
        for (Carried carried : all) {
            Path target = directory.resolve(carried.name);
            try (AttachmentSource source = carried.open(stores, directory)) {
                Path file = source.path();
                Carried before = placed.putIfAbsent(carried.name, carried);
                if (before != null) {
                    requireSame(before, carried, file, directory, stores);
                } else if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
                    if (carried.kind == AttachmentKind.FILE
                            && Files.isRegularFile(target)
                            && Files.mismatch(file, target) < 0) {
                        continue; // the cluster manager has put the file there
                    }
                    throw ErrorCode.PATH_EXISTS.failure(carried.subject + ": " + target
                            + " exists already (expected: a free name in the driver's working directory); give the"
                            + " file another name, as in " + carried.path + "#other");
                } else if (carried.kind == AttachmentKind.ARCHIVE) {
                    ZipArchives.check(carried.subject, file);
                    ZipArchives.unpack(carried.subject, file, target);
                } else {
                    Files.copy(file, target);
                    AttachedFiles.makeExecutable(target);
                }
            } catch (IOException failure) {
                throw ErrorCode.DISK_FAILED.failure(
                        carried.subject + ": cannot be placed at " + target + ", " + failure
                                + " (expected: a readable file, and free space there)",
                        failure);
            }
        }
    }

    private static void requireSame(
            Carried one, Carried other, Path otherFile, Path directory, ApplicationStores stores) throws IOException {
        try (AttachmentSource file = one.open(stores, directory)) {
            if (one.kind != other.kind || Files.mismatch(file.path(), otherFile) >= 0) {
                throw ErrorCode.PATH_EXISTS.failure(other.subject + ": another " + other.name
                        + " is carried too, " + one.path + " (expected: one file per name); give one of them another"
                        + " name, as in " + other.path + "#other");
            }
        }
    }
}
