package dev.hearth.submission.api;

import dev.hearth.api.HearthException;
import dev.hearth.spi.application.ApplicationSettings;
import dev.hearth.spi.application.ClassPathEntries;
import dev.hearth.spi.cluster.DeployMode;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.cluster.SubmissionResource;
import dev.hearth.spi.cluster.SubmissionResource.Kind;
import dev.hearth.spi.cluster.SubmitterEnvironment;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.packages.PackageRequest;
import dev.hearth.spi.packages.RequestedPackage;
import dev.hearth.spi.process.LaunchOptions;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import dev.hearth.submission.api.ResourceAddresses.Sight;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the plan of a submission from its settings and the words of its command line. In client mode, all local files
 * must exist. In cluster mode they belong to the machine of the driver, so only their form is checked. For a request of
 * another process, nothing of this machine is read. Used once.
 */
final class SubmissionPlanner {
    private static final Logger LOG = LoggerFactory.getLogger(SubmissionPlanner.class);
    /** Application of a command line that has no jar. Its main class is in further jars or on the class path. */
    private static final String NO_JAR = "spark-internal";

    private final Path directory;
    private final DeployMode mode;
    private final Map<String, String> environment;
    private final Consumer<String> warning;
    private final ResourceAddresses addresses;
    private final boolean foreign;
    private final List<SubmissionResource> resources = new ArrayList<>();
    private Settings settings;

    /** {@code environment} are the environment variables of this process; {@code warning} takes lines for the user. */
    SubmissionPlanner(
            Settings settings,
            Path directory,
            DeployMode mode,
            Map<String, String> environment,
            Consumer<String> warning) {
        this(
                settings,
                directory,
                mode,
                environment,
                mode == DeployMode.CLIENT ? Sight.REQUIRED : Sight.POSSIBLE,
                warning);
    }

    private SubmissionPlanner(
            Settings settings,
            Path directory,
            DeployMode mode,
            Map<String, String> environment,
            Sight sight,
            Consumer<String> warning) {
        this.settings = settings;
        this.directory = directory;
        this.mode = mode;
        this.environment = environment;
        this.foreign = sight == Sight.NONE;
        this.warning = warning;
        this.addresses = new ResourceAddresses(directory, sight, warning);
    }

    /** Planner for a request of another process in cluster mode; {@code environment} are variables of the driver. */
    static SubmissionPlanner ofForeign(Settings settings, Map<String, String> environment, Consumer<String> warning) {
        return new SubmissionPlanner(settings, Path.of("/"), DeployMode.CLUSTER, environment, Sight.NONE, warning);
    }

    /**
     * Plans the application whose jar is {@code application}, if there is one, and whose main class is {@code given}. If
     * no main class is given, the manifest of the jar names it.
     */
    SubmissionPlan plan(Optional<String> application, Optional<String> given, List<String> arguments) {
        requestPackages();
        Optional<SubmissionResource> jar =
                application.filter(text -> !text.equals(NO_JAR)).map(text -> applicationJar(text, given.isPresent()));
        if (jar.isEmpty() && given.isEmpty()) {
            throw noApplication();
        }
        jar.ifPresent(resources::add);
        add(ApplicationSettings.JARS, Kind.JAR, "jar");
        add(ApplicationSettings.FILES, Kind.FILE, "file");
        add(ApplicationSettings.ARCHIVES, Kind.ARCHIVE, "archive");
        addClassPath();
        addNativePath();
        String mainClass = given.orElseGet(() -> mainClass(jar.orElseThrow()));
        String name = mainClass.isEmpty() ? jar.orElseThrow().name() : mainClass;
        return SubmissionPlan.builder(
                        new SettingsReader(settings)
                                .find(ApplicationSettings.NAME)
                                .orElse(name),
                        mainClass)
                .resources(resources)
                .arguments(arguments)
                .environment(driverEnvironment())
                .settings(settings)
                .build();
    }

    private SubmissionResource applicationJar(String text, boolean hasMainClass) {
        ResourceAddresses strict =
                hasMainClass || foreign ? addresses : new ResourceAddresses(directory, Sight.REQUIRED, warning);
        return strict.of(Kind.APPLICATION_JAR, "application jar", text).get(0);
    }

    /** The main class of a jar of this machine. Empty if only the driver can read the jar. */
    private String mainClass(SubmissionResource jar) {
        return jar.scheme().equals(SubmissionResource.FILE) && !foreign
                ? MainClassHeader.read(jar.path())
                        .orElseThrow(
                                () -> PlacedResources.noMainClass(jar.path().toString()))
                : "";
    }

    /** Moves the URIs of packages from the jars to the packages, and checks the form of all packages. */
    private void requestPackages() {
        SettingsReader in = new SettingsReader(settings);
        List<String> jars = in.read(ApplicationSettings.JARS);
        List<String> packages = new ArrayList<>(in.read(ApplicationSettings.PACKAGES));
        if (jars.isEmpty() && packages.isEmpty()) { // bin/submit runs this at each start
            return;
        }
        if (jars.stream().anyMatch(RequestedPackage::isUri)) {
            jars.stream().filter(RequestedPackage::isUri).forEach(packages::add);
            String others =
                    jars.stream().filter(jar -> !RequestedPackage.isUri(jar)).collect(Collectors.joining(","));
            settings = settings.with(
                            origin(ApplicationSettings.JARS),
                            Map.of(ApplicationSettings.PACKAGES.name(), String.join(",", packages)))
                    .with(origin(ApplicationSettings.JARS), ApplicationSettings.JARS.name(), others);
        }
        if (!packages.isEmpty()) {
            PackageRequest request = PackageRequest.from(settings);
            LOG.debug("packages: {}", request);
        }
    }

    private void add(SettingKey<List<String>> key, Kind kind, String word) {
        List<SubmissionResource> found = new ArrayList<>();
        for (String text : new SettingsReader(settings).read(key)) {
            found.addAll(addresses.of(kind, word + " from " + origin(key), text));
        }
        if (foreign) {
            // clients of Spark repeat the application's jar among the further jars
            found.removeIf(jar -> kind == Kind.JAR
                    && resources.stream().anyMatch(known -> known.uri().equals(jar.uri())));
        }
        if (!found.isEmpty()) {
            resources.addAll(found);
            replace(key, found.stream().map(ResourceAddresses::text).collect(Collectors.joining(",")));
        }
    }

    /** In cluster mode, relative entries are relative to the working directory of the driver. */
    private void addClassPath() {
        SettingKey<String> key = ApplicationSettings.DRIVER_CLASS_PATH;
        SettingsReader in = new SettingsReader(settings);
        String text = Stream.of(key, ApplicationSettings.DRIVER_DEFAULT_CLASS_PATH)
                .map(in::read)
                .filter(path -> !path.isBlank())
                .collect(Collectors.joining(":"));
        if (!text.isBlank()) {
            boolean here = mode == DeployMode.CLIENT;
            List<String> entries =
                    here ? addresses.classPath("class path from " + origin(key), text) : ClassPathEntries.split(text);
            replace(key, ResourceAddresses.joined(entries));
            settings = settings.without(ApplicationSettings.DRIVER_DEFAULT_CLASS_PATH.name()); // part of it now
            (here ? entries : ClassPathEntries.tokens(text))
                    .forEach(entry -> classPathResource(entry).ifPresent(resources::add));
        }
    }

    /** The resource of a class path entry, which keeps the scheme local:; empty for a path that is not absolute. */
    private static Optional<SubmissionResource> classPathResource(String entry) {
        String plain = ClassPathEntries.withoutScheme(entry);
        if (!plain.startsWith("/") && !ClassPathEntries.isAddress(entry)) {
            return Optional.empty();
        }
        return Optional.of(SubmissionResource.of(
                Kind.CLASS_PATH,
                entry.startsWith(SubmissionResource.LOCAL + ":")
                        ? SubmissionResource.LOCAL + ":"
                                + Path.of(plain).toUri().getRawPath()
                        : plain));
    }

    private void addNativePath() {
        SettingKey<String> key = LaunchOptions.DRIVER_LIBRARY_PATH;
        String text = new SettingsReader(settings).read(key);
        if (!text.isBlank()) {
            List<String> entries = ClassPathEntries.split(text);
            for (String entry : entries) {
                if (ClassPathEntries.isAddress(entry)) {
                    throw ErrorCode.BAD_ARGUMENT.failure("library path from " + origin(key) + ": '" + entry
                            + "': an address (expected: a directory on the machine of the driver, which may begin with"
                            + " local: or file:)");
                }
                if (entry.startsWith("/")) {
                    resources.add(SubmissionResource.of(Kind.NATIVE_PATH, entry));
                }
            }
            replace(key, ResourceAddresses.joined(entries));
        }
    }

    private Map<String, String> driverEnvironment() {
        if (mode == DeployMode.CLIENT) {
            return Map.of(); // the driver runs in this process
        }
        Map<String, String> all =
                new LinkedHashMap<>(foreign ? environment : SubmitterEnvironment.carried(environment, settings));
        all.putAll(LaunchOptions.ofDriver(settings).environment());
        return all;
    }

    private void replace(SettingKey<?> key, String value) {
        settings = settings.with(origin(key), key.name(), value);
    }

    private String origin(SettingKey<?> key) {
        return settings.origin(key.name()).orElse("default");
    }

    private static HearthException noApplication() {
        return ErrorCode.BAD_ARGUMENT.failure("application jar: none given (expected: submit [flags] <application jar>"
                + " [application arguments], or --class with --jars); --help lists the flags");
    }
}
