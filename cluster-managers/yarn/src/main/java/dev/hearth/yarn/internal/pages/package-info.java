/**
 * Pages of applications, which the proxy of YARN serves. A driver's monitoring port takes requests without encryption and without a
 * token, but from proxies alone; it sends everybody else to the proxy that is active, as Spark's filter does.
 *
 * <p>Terms: a <em>base</em> is the address below which a proxy publishes an application, such as
 * {@code http://manager:8088/proxy/application_1_0001}. There is one for each ResourceManager, or the one of a proxy of its own
 * ({@code yarn.web-proxy.address}).
 *
 * <p>Proxies are looked up on a thread, because names are resolved and ResourceManagers are asked which of them is active;
 * the gate reads an immutable snapshot ({@link dev.hearth.yarn.internal.pages.ProxyAddresses}). While there is none, it
 * refuses. A snapshot is renewed after a time, without a request waiting for it.
 */
@NullMarked
package dev.hearth.yarn.internal.pages;

import org.jspecify.annotations.NullMarked;
