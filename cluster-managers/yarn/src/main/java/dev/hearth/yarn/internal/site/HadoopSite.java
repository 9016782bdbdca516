package dev.hearth.yarn.internal.site;

import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.settings.Settings;
import dev.hearth.yarn.internal.settings.StagingSettings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Hadoop's configuration of one application: directories with its files, of which the first one with a file counts, and
 * values that settings override. Immutable; reads files when it is asked for them.
 */
public record HadoopSite(List<Path> directories, Map<String, String> overrides) {
    /** Prefix of settings that override values of Hadoop's configuration. */
    public static final String HADOOP = "hearth.hadoop.";
    /** Value whose presence shows that a configuration knows its cluster. */
    public static final String RM_ADDRESS = "yarn.resourcemanager.address";

    private static final String OWN = "HEARTH_CONF_DIR";
    private static final String RM_HOST = "yarn.resourcemanager.hostname";
    private static final String RM_IDS = "yarn.resourcemanager.ha.rm-ids";
    private static final String NO_CONFIGURATION = "When running with master 'yarn' either HADOOP_CONF_DIR or"
            + " YARN_CONF_DIR must be set in the environment.";

    public HadoopSite {
        directories = List.copyOf(directories);
        overrides = new LinkedHashMap<>(overrides);
    }

    /**
     * The configuration of applications on {@code master} with {@code settings}, in a process with the variables {@code
     * environment}.
     */
    public static HadoopSite of(MasterUrl master, Settings settings, Map<String, String> environment) {
        ClusterAddress address = ClusterAddress.of(master);
        Set<Path> directories = new LinkedHashSet<>();
        Optional<String> named = address.directory()
                .or(() -> settings.find(StagingSettings.CONFIGURATION.name()).filter(text -> !text.isBlank()));
        if (named.isPresent()) {
            directories.add(Path.of(named.get()).toAbsolutePath());
        } else {
            for (String variable : List.of(OWN, "HADOOP_CONF_DIR", "YARN_CONF_DIR")) {
                Optional.ofNullable(environment.get(variable))
                        .filter(text -> !text.isBlank())
                        .map(text -> Path.of(text).toAbsolutePath())
                        // that of Hearth's own settings is there always, and rarely has files of Hadoop
                        .filter(directory -> !variable.equals(OWN) || hasSite(directory))
                        .ifPresent(directories::add);
            }
        }
        Map<String, String> overrides = new LinkedHashMap<>();
        for (String key : settings.keys()) {
            if (key.startsWith(HADOOP)) {
                overrides.put(key.substring(HADOOP.length()), settings.find(key).orElse(""));
            }
        }
        address.resourceManager().ifPresent(text -> overrides.put(RM_ADDRESS, text));
        return new HadoopSite(List.copyOf(directories), overrides);
    }

    private static boolean hasSite(Path directory) {
        return Files.exists(directory.resolve("yarn-site.xml")) || Files.exists(directory.resolve("core-site.xml"));
    }

    /** Fails with {@code BAD_SETTING} if nothing says where the cluster is. */
    public void requireCluster() {
        for (Path directory : directories) {
            if (!Files.isDirectory(directory)) {
                throw ErrorCode.BAD_SETTING.failure("Hadoop's configuration: " + directory
                        + " is no directory (expected: a directory with yarn-site.xml)");
            }
        }
        if (directories.isEmpty() && !overrides.containsKey(RM_ADDRESS) && !overrides.containsKey(RM_HOST)) {
            throw ErrorCode.BAD_SETTING.failure(NO_CONFIGURATION);
        }
    }

    /** The files with values, in the order in which they count: of two with one name, the first. */
    public List<Path> files() {
        Map<String, Path> files = new LinkedHashMap<>();
        for (Path directory : directories) {
            try (Stream<Path> found = Files.list(directory)) {
                found.filter(file -> file.getFileName().toString().endsWith(".xml"))
                        .sorted()
                        .forEach(file -> files.putIfAbsent(file.getFileName().toString(), file));
            } catch (IOException unreadable) {
                throw ErrorCode.PATH_MISSING.failure(
                        "Hadoop's configuration: " + directory + ": " + unreadable.getMessage()
                                + " (expected: a directory that this user can read)",
                        unreadable);
            }
        }
        return List.copyOf(files.values());
    }

    /** Host of the ResourceManager; empty if the configuration has none. May read files. */
    public Optional<String> resourceManagerHost() {
        Map<String, String> values = new LinkedHashMap<>();
        for (Path file : files()) {
            if (file.getFileName().toString().equals("yarn-site.xml")) {
                values.putAll(read(file));
            }
        }
        values.putAll(overrides);
        String first = values.getOrDefault(RM_IDS, "").split(",", -1)[0].strip();
        String suffix = first.isEmpty() ? "" : "." + first;
        return Optional.ofNullable(values.get(RM_ADDRESS + suffix))
                .map(text -> text.replaceFirst(":\\d+$", ""))
                .or(() -> Optional.ofNullable(values.get(RM_HOST + suffix)))
                .or(() -> Optional.ofNullable(values.get(RM_HOST)))
                .map(String::strip)
                .filter(host -> !host.isEmpty() && !host.contains("${"));
    }

    /** The values in one file of Hadoop's configuration. */
    static Map<String, String> read(Path file) {
        Map<String, String> values = new LinkedHashMap<>();
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory(); // the JDK's own, also under Hadoop's loader
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        try (InputStream in = Files.newInputStream(file)) {
            XMLStreamReader reader = factory.createXMLStreamReader(in);
            String name = "";
            while (reader.hasNext()) {
                int event = reader.next();
                if (event == XMLStreamConstants.START_ELEMENT) {
                    String element = reader.getLocalName();
                    if (element.equals("name")) {
                        name = reader.getElementText().strip();
                    } else if (element.equals("value")) {
                        values.put(name, reader.getElementText().strip());
                    }
                }
            }
        } catch (IOException | XMLStreamException unreadable) {
            throw ErrorCode.BAD_SETTING.failure(
                    "Hadoop's configuration: " + file + ": " + unreadable.getMessage()
                            + " (expected: a file with <configuration> and <property>)",
                    unreadable);
        }
        return values;
    }
}
