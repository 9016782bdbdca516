package dev.hearth.shuffleservice.internal;

import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.shuffle.ShuffleService;
import dev.hearth.spi.shuffle.ShuffleServiceFactory;
import java.nio.file.Path;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** Opens the shuffle service of a worker, which asks for it. Stateless. */
@Component(service = ShuffleServiceFactory.class)
public final class ShuffleServiceComponent implements ShuffleServiceFactory {
    private final ServiceFigures figures;

    @Activate
    public ShuffleServiceComponent(@Reference ServiceFigures figures) {
        this.figures = figures;
    }

    @Override
    public ShuffleService open(String worker, RpcEnv rpc, EventLoop loop, Path work, Settings settings) {
        return new RunningShuffleService(worker, rpc, loop, work, ServiceBounds.from(settings), figures).start();
    }
}
