package dev.hearth.kernel.internal.application;

import dev.hearth.kernel.internal.inventory.BundleLocations;
import dev.hearth.kernel.internal.inventory.JarManifest;
import dev.hearth.kernel.internal.live.BundleUsage.Hold;
import dev.hearth.kernel.internal.live.BundleUsageRegistry;
import dev.hearth.spi.application.ApplicationFiles;
import dev.hearth.spi.settings.Settings;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.zip.ZipFile;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.wiring.BundleWiring;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Packages that resolved bundles offer to applications in the manifest header {@code Hearth-Application-Api}. The
 * headers are read at each call, that is, when an application that imports packages starts. Thread-safe; lives as long
 * as the OSGi framework.
 */
public final class BundlePackages implements PackageOffers {
    private static final Logger LOG = LoggerFactory.getLogger(BundlePackages.class);
    public static final String HEADER = "Hearth-Application-Api";
    /** Maximum number of jars that are read for the text of one error. */
    private static final int JARS_MAX = 1_000;

    private final BundleContext context;
    private final BundleUsageRegistry uses;
    private final Consumer<Collection<PackagePattern>> onDemand;
    private final List<Path> directories;

    /**
     * {@code onDemand} starts the on-demand bundles that offer one of the given packages. Errors name the jars in
     * {@code directories} that offer missing packages.
     */
    public BundlePackages(
            BundleContext context,
            BundleUsageRegistry uses,
            Consumer<Collection<PackagePattern>> onDemand,
            List<Path> directories) {
        this.context = context;
        this.uses = uses;
        this.onDemand = onDemand;
        this.directories = List.copyOf(directories);
    }

    @Override
    public List<Offer> offers(Collection<PackagePattern> wanted) {
        onDemand.accept(wanted);
        List<Bundle> bundles = new ArrayList<>(Arrays.asList(context.getBundles()));
        bundles.sort(Comparator.comparing(Bundle::getVersion).reversed());
        List<Offer> offers = new ArrayList<>();
        for (Bundle bundle : bundles) {
            String header = bundle.getHeaders("").get(HEADER);
            BundleWiring wiring = bundle.adapt(BundleWiring.class); // the wiring is null until the bundle is resolved
            if (header != null && wiring != null && !uses.isHidden(bundle)) {
                LendingBundle lender = new LendingBundle(bundle, wiring.getClassLoader());
                PackagePattern.parse(header).forEach(packages -> offers.add(new Offer(packages, lender)));
            }
        }
        return offers;
    }

    @Override
    public SortedSet<String> jarsOffering(PackagePattern wanted) {
        SortedSet<String> found = new TreeSet<>();
        int read = 0;
        for (Path directory : directories) {
            try (DirectoryStream<Path> jars = Files.newDirectoryStream(directory, "*.jar")) {
                for (Path jar : jars) {
                    if (read++ < JARS_MAX
                            && Files.isRegularFile(jar, LinkOption.NOFOLLOW_LINKS)
                            && offers(jar, wanted)
                            && !isInstalled(jar)) {
                        found.add(directory.getFileName() + "/" + jar.getFileName());
                    }
                }
            } catch (IOException e) {
                LOG.debug("{}: skipped in the search for packages", directory, e);
            }
        }
        return found;
    }

    private static boolean offers(Path file, PackagePattern wanted) {
        try (ZipFile jar = new ZipFile(file.toFile())) {
            String header = JarManifest.mainAttributes(jar).getValue(HEADER);
            return header != null && PackagePattern.parse(header).stream().anyMatch(offer -> offer.covers(wanted));
        } catch (IOException e) {
            LOG.debug("{}: skipped in the search for packages", file, e);
            return false;
        }
    }

    private boolean isInstalled(Path jar) {
        return Arrays.stream(context.getBundles())
                .anyMatch(bundle ->
                        BundleLocations.jar(bundle).filter(jar::equals).isPresent());
    }

    /** Resolved bundle with packages for applications. */
    private final class LendingBundle implements Lender {
        private final Bundle bundle;
        private final ClassLoader classes;

        LendingBundle(Bundle bundle, ClassLoader classes) {
            this.bundle = bundle;
            this.classes = classes;
        }

        @Override
        public String name() {
            return bundle.getSymbolicName() + " " + bundle.getVersion();
        }

        @Override
        public ClassLoader classes() {
            return classes;
        }

        @Override
        public ResourcePatterns resources() {
            String header = bundle.getHeaders("").get(ResourcePatterns.HEADER);
            return header == null ? ResourcePatterns.NONE : ResourcePatterns.parse(header);
        }

        @Override
        public Map<String, Path> files(String application, Settings settings) {
            Map<String, Path> files = new LinkedHashMap<>();
            ServiceReference<?>[] own = bundle.getRegisteredServices();
            for (ServiceReference<?> reference : own == null ? new ServiceReference<?>[0] : own) {
                Object types = reference.getProperty(Constants.OBJECTCLASS);
                if (types instanceof String[] names
                        && Arrays.asList(names).contains(ApplicationFiles.class.getName())) {
                    Object service = context.getService(reference);
                    try {
                        if (service instanceof ApplicationFiles maker) {
                            files.putAll(maker.files(application, settings));
                        }
                    } finally {
                        context.ungetService(reference);
                    }
                }
            }
            return files;
        }

        @Override
        public Optional<Hold> take(String holder) {
            return uses.of(bundle).take(holder);
        }
    }
}
