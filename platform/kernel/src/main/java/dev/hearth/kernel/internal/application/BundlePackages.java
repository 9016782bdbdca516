package dev.hearth.kernel.internal.application;

import dev.hearth.kernel.internal.live.BundleUsageRegistry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.wiring.BundleWiring;

/**
 * Packages that resolved bundles offer to applications in the manifest header {@code Hearth-Application-Api}. The
 * headers are read at each call, that is, when an application that imports packages starts. Thread-safe; lives as long
 * as the OSGi framework.
 */
public final class BundlePackages implements PackageOffers {
    private static final String HEADER = "Hearth-Application-Api";

    private final BundleContext context;
    private final BundleUsageRegistry uses;

    public BundlePackages(BundleContext context, BundleUsageRegistry uses) {
        this.context = context;
        this.uses = uses;
    }

    @Override
    public List<Offer> offers() {
        List<Bundle> bundles = new ArrayList<>(Arrays.asList(context.getBundles()));
        bundles.sort(Comparator.comparing(Bundle::getVersion).reversed());
        List<Offer> offers = new ArrayList<>();
        for (Bundle bundle : bundles) {
            String header = bundle.getHeaders("").get(HEADER);
            BundleWiring wiring = bundle.adapt(BundleWiring.class); // the wiring is null until the bundle is resolved
            if (header != null && wiring != null && !uses.isHidden(bundle)) {
                for (PackagePattern packages : PackagePattern.parse(header)) {
                    offers.add(new Offer(packages, wiring.getClassLoader(), uses.of(bundle)::take));
                }
            }
        }
        return offers;
    }
}
