package dev.hearth.standalone.internal.protocol;

import dev.hearth.spi.application.ApplicationSettings;
import dev.hearth.spi.application.FrozenBundle;
import dev.hearth.spi.application.UploadSelection;
import dev.hearth.spi.cluster.ContentAddress;
import dev.hearth.spi.cluster.MachineSettings;
import dev.hearth.spi.cluster.ResourceRequest;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.cluster.SubmissionResource;
import dev.hearth.spi.cluster.SubmissionResource.Kind;
import dev.hearth.spi.process.LaunchOptions;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Driver to launch: its application, and the cores and memory that it needs. {@code resources} are the texts of the
 * application's files and {@code environment} the variables of the driver; submitters of earlier releases send neither,
 * and name the application jar alone. {@code addresses} are the numbers of addresses that it needs, by resource. {@code
 * bundles} are the texts of the bundles that the driver starts in addition to those of its role. If {@code supervise} is
 * set, the driver is started again after a failure, at most {@code restartsMax} times if that is set, and after the loss
 * of its worker.
 */
public record DriverSpec(
        String name,
        String mainClass,
        String applicationJar,
        List<String> arguments,
        Map<String, String> settings,
        int cores,
        int memoryMebibytes,
        List<String> resources,
        Map<String, String> environment,
        Map<String, Integer> addresses,
        List<String> bundles,
        boolean supervise,
        OptionalInt restartsMax) {
    /** Driver as submitters of earlier releases describe it. */
    public DriverSpec(
            String name,
            String mainClass,
            String applicationJar,
            List<String> arguments,
            Map<String, String> settings,
            int cores,
            int memoryMebibytes) {
        this(
                name,
                mainClass,
                applicationJar,
                arguments,
                settings,
                cores,
                memoryMebibytes,
                List.of(),
                Map.of(),
                Map.of(),
                List.of(),
                false,
                OptionalInt.empty());
    }

    /** Builder of a driver that differs from this one. */
    public Builder but() {
        return new Builder(this);
    }

    /** Drivers that resemble another one. Used by one thread. */
    public static final class Builder {
        private final DriverSpec of;
        private List<String> resources;
        private Map<String, String> environment;
        private Map<String, Integer> addresses;
        private List<String> bundles;
        private boolean supervise;
        private OptionalInt restartsMax;

        private Builder(DriverSpec of) {
            this.of = of;
            this.resources = of.resources;
            this.environment = of.environment;
            this.addresses = of.addresses;
            this.bundles = of.bundles;
            this.supervise = of.supervise;
            this.restartsMax = of.restartsMax;
        }

        /** Sets the texts of the application's files, and the variables of the driver. */
        public Builder carrying(List<String> texts, Map<String, String> variables) {
            resources = texts;
            environment = variables;
            return this;
        }

        /** Sets the numbers of addresses that the driver needs, by resource. */
        public Builder addresses(Map<String, Integer> numbers) {
            addresses = numbers;
            return this;
        }

        /** Sets the bundles that the driver starts in addition to those of its role. */
        public Builder bundles(List<FrozenBundle> frozen) {
            bundles = frozen.stream().map(FrozenBundle::text).toList();
            return this;
        }

        /** Lets the driver be started again after failures, at most {@code times} times if that is set. */
        public Builder supervised(OptionalInt times) {
            supervise = true;
            restartsMax = times;
            return this;
        }

        public DriverSpec build() {
            return new DriverSpec(
                    of.name,
                    of.mainClass,
                    of.applicationJar,
                    of.arguments,
                    of.settings,
                    of.cores,
                    of.memoryMebibytes,
                    resources,
                    environment,
                    addresses,
                    bundles,
                    supervise,
                    restartsMax);
        }
    }

    /** The same driver, which starts {@code frozen} in addition to the bundles of its role. */
    public DriverSpec with(List<FrozenBundle> frozen) {
        return but().bundles(frozen).build();
    }

    /** The same driver, which is started again after failures, at most {@code times} times if that is set. */
    public DriverSpec supervised(OptionalInt times) {
        return but().supervised(times).build();
    }

    /** The same driver, whose application is called {@code called}. */
    public DriverSpec named(String called) {
        Map<String, String> named = new LinkedHashMap<>(settings);
        named.put(ApplicationSettings.NAME.name(), called);
        return new DriverSpec(
                called,
                mainClass,
                applicationJar,
                arguments,
                named,
                cores,
                memoryMebibytes,
                resources,
                environment,
                addresses,
                bundles,
                supervise,
                restartsMax);
    }

    /** The same driver without what only a start needs, such as its settings. */
    public DriverSpec summary() {
        DriverSpec summary = new DriverSpec(name, mainClass, "", List.of(), Map.of(), cores, memoryMebibytes);
        return supervise ? summary.supervised(restartsMax) : summary;
    }

    /** The bundles that the driver starts in addition to those of its role. Fails with {@code BAD_ARGUMENT}. */
    public List<FrozenBundle> frozenBundles() {
        return bundles.stream().map(FrozenBundle::parse).toList();
    }

    /** Describes the driver of {@code plan}. Fails with {@code BAD_SETTING} if its settings are invalid. */
    public static DriverSpec of(SubmissionPlan plan) {
        SettingsReader in = new SettingsReader(plan.settings());
        int cores = in.read(ApplicationSettings.DRIVER_CORES);
        int memory = in.read(ApplicationSettings.DRIVER_MEMORY);
        Map<String, Integer> addresses = ResourceRequest.amounts(ResourceRequest.ofDriver(in));
        LaunchOptions.ofDriver(in); // checked here, used by the worker
        boolean supervise = in.read(ApplicationSettings.DRIVER_SUPERVISE);
        OptionalInt restartsMax = in.find(ApplicationSettings.DRIVER_RESTARTS_MAX)
                .map(OptionalInt::of)
                .orElseGet(OptionalInt::empty);
        in.finish();
        DriverSpec driver = of(plan, MachineSettings.without(plan.settings().values()), cores, memory, addresses);
        return supervise ? driver.supervised(restartsMax) : driver;
    }

    public static DriverSpec of(
            SubmissionPlan plan,
            Map<String, String> settings,
            int cores,
            int memoryMebibytes,
            Map<String, Integer> addresses) {
        String jar = plan.applicationJar()
                .map(found -> found.isPath() ? found.path().toString() : found.toString())
                .orElse("");
        List<String> resources =
                plan.resources().stream().map(SubmissionResource::text).toList();
        return new DriverSpec(plan.name(), plan.mainClass(), jar, plan.arguments(), settings, cores, memoryMebibytes)
                .but()
                .carrying(resources, plan.environment())
                .addresses(addresses)
                .build();
    }

    /** The application of this driver with the settings of the worker. Fails with {@code BAD_ARGUMENT}. */
    public SubmissionPlan plan(Settings ofWorker) {
        List<SubmissionResource> carried = new ArrayList<>();
        resources.forEach(text -> carried.add(SubmissionResource.parse(text)));
        if (resources.isEmpty() && !applicationJar.isEmpty()) {
            carried.add(SubmissionResource.of(Kind.APPLICATION_JAR, applicationJar));
            for (String jar : ofWorker.find("hearth.jars").orElse("").split(",", -1)) {
                if (!jar.isBlank()) {
                    carried.add(SubmissionResource.of(Kind.JAR, jar.strip()));
                }
            }
        }
        return SubmissionPlan.builder(name, mainClass)
                .resources(carried)
                .arguments(arguments)
                .environment(environment)
                .settings(ofWorker)
                .build();
    }

    /** The uploaded files of the application and the jars of its bundles. Fails with {@code BAD_ARGUMENT}. */
    public Set<ContentAddress> contents() {
        Set<ContentAddress> contents = UploadSelection.contents(
                resources.stream().map(SubmissionResource::parse).toList());
        frozenBundles().forEach(bundle -> contents.add(addressOf(bundle)));
        return contents;
    }

    /** The address of the jar of a bundle; its name begins with its hash. */
    public static ContentAddress addressOf(FrozenBundle bundle) {
        return new ContentAddress(bundle.content(), bundle.bytes(), bundle.content() + ".jar");
    }

    /** Number of bytes of the texts of this driver in a message. */
    public long bytes() {
        long bytes = utf8(name) + utf8(mainClass) + utf8(applicationJar);
        for (String text : arguments) {
            bytes += utf8(text);
        }
        for (String text : resources) {
            bytes += utf8(text);
        }
        return bytes + utf8(settings) + utf8(environment);
    }

    private static long utf8(Map<String, String> texts) {
        long bytes = 0;
        for (Map.Entry<String, String> entry : texts.entrySet()) {
            bytes += utf8(entry.getKey()) + utf8(entry.getValue());
        }
        return bytes;
    }

    private static long utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    /** Omits the settings and the environment, because they may contain secrets. */
    @Override
    public String toString() {
        return "driver " + name + " of " + mainClass;
    }
}
