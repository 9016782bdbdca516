package dev.hearth.hadoopclient.internal;

import dev.hearth.hadoopclient.api.HadoopRuntime;
import dev.hearth.spi.application.ApplicationEnd;
import dev.hearth.spi.application.ApplicationFiles;
import dev.hearth.spi.application.CredentialSink;
import dev.hearth.spi.kernel.KernelInfo;
import dev.hearth.spi.kernel.Logs;
import dev.hearth.spi.settings.SettingsGroup;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.ServiceRegistration;
import org.osgi.util.tracker.ServiceTracker;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Registers the services of this bundle while the kernel's are there. An activator, because the component runtime looks
 * at all 28,000 files of the jar for each description of a component, and keeps them in memory (ADR 0098). Used by one
 * thread at a time.
 */
public final class HadoopServices implements BundleActivator {
    private static final Logger LOG = LoggerFactory.getLogger(HadoopServices.class);

    private @Nullable ServiceTracker<KernelInfo, Registered> kernels;

    @Override
    public void start(BundleContext context) {
        ServiceTracker<KernelInfo, Registered> tracker = new ServiceTracker<>(context, KernelInfo.class, null) {
            @Override
            public Registered addingService(ServiceReference<KernelInfo> reference) {
                return Registered.of(context, context.getService(reference));
            }

            @Override
            public void removedService(ServiceReference<KernelInfo> reference, Registered services) {
                services.end();
                context.ungetService(reference);
            }
        };
        kernels = tracker;
        tracker.open();
    }

    @Override
    public void stop(BundleContext context) {
        ServiceTracker<KernelInfo, Registered> tracker = kernels;
        if (tracker != null) {
            tracker.close();
        }
    }

    /** The services of one kernel. {@code services} are in the order in which they end. */
    private record Registered(EmbeddedHadoop hadoop, TokenSink tokens, Deque<ServiceRegistration<?>> services) {
        static Registered of(BundleContext context, KernelInfo kernel) {
            ServiceReference<Logs> logs = context.getServiceReference(Logs.class);
            ReceivedTokens received = new ReceivedTokens();
            EmbeddedHadoop hadoop =
                    new EmbeddedHadoop(kernel, received, logs == null ? null : context.getService(logs));
            TokenSink tokens = new TokenSink(hadoop, received);
            Deque<ServiceRegistration<?>> services = new ArrayDeque<>();
            services.push(context.registerService(SettingsGroup.class, new HadoopSettings(), null));
            services.push(context.registerService(HadoopRuntime.class, hadoop, null));
            services.push(context.registerService(ApplicationEnd.class, new ApplicationCaches(), null));
            services.push(context.registerService(ApplicationFiles.class, new ApplicationSite(hadoop, kernel), null));
            services.push(context.registerService(
                    CredentialSink.class,
                    tokens,
                    FrameworkUtil.asDictionary(Map.of(CredentialSink.KIND, TokenSink.KIND))));
            return new Registered(hadoop, tokens, services);
        }

        /** Takes the services from their users, then ends Hadoop. */
        void end() {
            services.forEach(ServiceRegistration::unregister);
            tokens.stop();
            try {
                hadoop.stop();
            } catch (Exception failure) {
                LOG.warn("Hadoop's client: not ended", failure);
            }
        }
    }
}
