#!/usr/bin/env bash
#
# real-k8s.sh - a real one-node Kubernetes cluster made of Debian packages only.
#
#   build       fetch Debian packages + the Debian source package `kubernetes`, compile the
#               servers with Debian's Go, make two images            -> $K8S_CACHE/dist
#   up          start etcd, kube-apiserver, kube-controller-manager, kube-scheduler and, unless
#               K8S_NODE=0, containerd + kubelet + kube-proxy; returns when the node is Ready
#   down        stop what `up` started (by recorded pid) and undo its host changes
#   kubeconfig  print the path of the admin kubeconfig (token + embedded CA)
#   env         print shell exports for a test run
#   status      print pids, RSS, and node state
#   image REF DIR [CMD...]   pack a root file system directory as image REF (kept in the cache;
#               imported at once when the node is up)
#   load FILE   keep an image that is a file, as images/make-image writes it, and import it when the node is up
#   pid NAME    print the pid of a server: etcd, kube-apiserver, kubelet, ...
#   jdk-image   image localhost/k8s/jdk:1 from this machine's JDK ($K8S_JDK_HOME or `java` in PATH)
#
# Environment (all optional but the first):
#   K8S_CACHE        where everything lives
#   K8S_NODE=1       0: control plane only (no root needed, everything on 127.0.0.1)
#   K8S_NET=10.244.0 first three octets of the pod network; K8S_SVC=10.96 first two of the service one
#   K8S_API_PORT=6443  K8S_ETCD_PORT=23790  K8S_NODE_NAME=node1  K8S_NET_IF=k8sbr0
#   K8S_JOBS         compiler parallelism (default: all cores)
#   K8S_KEEP_BUILD=1 keep source tree, toolchain and Go cache after `build`
#   K8S_MIRROR       Debian mirror; default: what apt is configured with
#   K8S_APISERVER_ARGS / K8S_KCM_ARGS / K8S_KUBELET_ARGS   extra flags, space separated
set -euo pipefail
umask 022
export LC_ALL=C

: "${K8S_CACHE:?set K8S_CACHE to a directory}"
mkdir -p "$K8S_CACHE"
K8S_CACHE=$(cd "$K8S_CACHE" && pwd -P)
K8S_NODE=${K8S_NODE:-1}
NET=${K8S_NET:-10.244.0}
SVC=${K8S_SVC:-10.96}
API_PORT=${K8S_API_PORT:-6443}
ETCD_PORT=${K8S_ETCD_PORT:-23790}
NODE=${K8S_NODE_NAME:-node1}
NETIF=${K8S_NET_IF:-k8sbr0}

SUITE=bookworm                       # the last Debian release whose `kubernetes` source is complete
KVER=v1.20.2
GOVER=1.19
DIST=$K8S_CACHE/dist                 # result of build: bin/ and root/ (unpacked .debs)
BIN=$DIST/bin
ROOT=$DIST/root
IMG=$K8S_CACHE/images
PKI=$K8S_CACHE/pki
WORK=$K8S_CACHE/build
RUN=$K8S_CACHE/run
NODE_IP=$NET.1
if [ "$K8S_NODE" = 1 ]; then API_IP=$NODE_IP; else API_IP=127.0.0.1; fi

say() { printf '%s real-k8s: %s\n' "$(date +%T)" "$*" >&2; }
die() { say "ERROR: $*"; exit 1; }

# ------------------------------------------------------------------ processes, by recorded pid
starttime() { sed 's/^.*) //' "/proc/$1/stat" 2>/dev/null | cut -d' ' -f20; }
alive() {                                            # alive NAME: our process of that name runs
  local p t
  [ -r "$RUN/pids/$1" ] || return 1
  read -r p t <"$RUN/pids/$1" || return 1
  [ "$(starttime "$p")" = "$t" ] && ! grep -q '^State:.*Z' "/proc/$p/status" 2>/dev/null
}
record() { echo "$2 $(starttime "$2")" >"$RUN/pids/$1"; }
start() {                                            # start NAME CMD...
  local n=$1; shift
  setsid "$@" >>"$RUN/log/$n.log" 2>&1 </dev/null &
  record "$n" $!
  disown $!
}
stop() {                                             # stop NAME [seconds before KILL]
  local p t i
  if alive "$1"; then
    read -r p t <"$RUN/pids/$1"
    kill -TERM "$p" 2>/dev/null || true
    for ((i = 0; i < ${2:-10} * 10; i++)); do alive "$1" || break; sleep 0.1; done
    if alive "$1"; then kill -KILL "$p" 2>/dev/null || true; sleep 0.1; fi
  fi
  rm -f "$RUN/pids/$1"
}
wait_for() {                                         # wait_for SECONDS WHAT CMD...; fails early if one of ours ended
  local end=$((SECONDS + $1)) what=$2 f; shift 2
  until "$@" >/dev/null 2>&1; do
    [ $SECONDS -lt $end ] || { say "timed out waiting for $what"; return 1; }
    for f in "$RUN"/pids/*; do
      alive "${f##*/}" || { say "${f##*/} ended while waiting for $what"; return 1; }
    done
    sleep 0.2
  done
}
pod_pids() { find /sys/fs/cgroup/kubepods /sys/fs/cgroup/*/kubepods -name cgroup.procs -exec cat {} + 2>/dev/null | sort -un; }
ipr() { if command -v ip >/dev/null; then ip "$@"; else "$ROOT/bin/busybox" ip "$@"; fi; }
k() { "$BIN/kubectl" --kubeconfig "$PKI/admin.kubeconfig" "$@"; }
ctrd() { "$ROOT/usr/bin/ctr" -a "$RUN/containerd.sock" -n k8s.io "$@"; }

# ------------------------------------------------------------------------------------- build
apt_setup() {            # a private apt state whose sources derive from this machine's own
  local f uri='' key='' A=$K8S_CACHE/apt
  mkdir -p "$A/state/lists/partial" "$A/cache/archives/partial" "$A/none"
  for f in /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list.d/*.sources; do
    [ -r "$f" ] && [ -z "$uri" ] || continue
    uri=$(sed -n 's/^URIs:[[:space:]]*\([^[:space:]]*\).*/\1/p' "$f" | head -n1)
    key=$(sed -n 's/^Signed-By:[[:space:]]*\(\/[^[:space:]]*\).*/\1/p' "$f" | head -n1)
  done
  if [ -z "$uri" ] && [ -r /etc/apt/sources.list ]; then
    uri=$(sed -n 's/^deb[[:space:]]\+\(\[[^]]*\][[:space:]]*\)\?\([^[:space:]]\+\).*/\2/p' /etc/apt/sources.list | head -n1)
  fi
  uri=${K8S_MIRROR:-$uri}
  [ -n "$uri" ] || die "no Debian mirror found in apt's configuration; set K8S_MIRROR"
  { echo "Types: deb deb-src"; echo "URIs: $uri"; echo "Suites: $SUITE"; echo "Components: main"
    [ -z "$key" ] || echo "Signed-By: $key"; } >"$A/debian.sources"
  : >"$A/status"
  cat >"$A/apt.conf" <<CONF
Dir::State "$A/state"; Dir::State::status "$A/status"; Dir::Cache "$A/cache";
Dir::Etc::sourcelist "$A/debian.sources"; Dir::Etc::sourceparts "$A/none";
Dir::Etc::preferences "$A/none/p"; Dir::Etc::preferencesparts "$A/none";
APT::Sandbox::User ""; Acquire::Languages "none"; Acquire::Retries "3";
CONF
  APT_CONFIG=$A/apt.conf apt-get -q update >"$K8S_CACHE/apt/update.log" 2>&1 || { cat "$K8S_CACHE/apt/update.log" >&2; die "apt-get update"; }
}
apt_() { APT_CONFIG=$K8S_CACHE/apt/apt.conf apt-get -q "$@"; }

fetch_debs() {                                       # fetch_debs DIR PKG...: download and unpack
  local d=$1 f; shift
  mkdir -p "$d" "$K8S_CACHE/debs"
  rm -rf "$K8S_CACHE/debs/new"; mkdir "$K8S_CACHE/debs/new"
  (cd "$K8S_CACHE/debs/new" && apt_ download "$@" >../download.log 2>&1) || { cat "$K8S_CACHE/debs/download.log" >&2; die "apt-get download"; }
  for f in "$K8S_CACHE"/debs/new/*.deb; do
    dpkg-deb -x "$f" "$d"
    dpkg-deb -f "$f" Package Version | paste -sd' ' | sed 's/Package: //; s/Version: //' >>"$d/.versions"
  done
  rm -rf "$K8S_CACHE/debs"
}

build_servers() {
  local src dirs ld q p
  say "fetching Go $GOVER and the kubernetes source package"
  rm -rf "$WORK/go" "$WORK/src" "$WORK/gopath"; mkdir -p "$WORK/src" "$WORK/gopath/src/k8s.io" "$WORK/tool"
  fetch_debs "$WORK/go" "golang-$GOVER-go" "golang-$GOVER-src"
  (cd "$WORK/src" && apt_ source --download-only kubernetes >log 2>&1) || { cat "$WORK/src/log" >&2; die "apt-get source"; }
  src=$WORK/gopath/src/k8s.io/kubernetes
  if command -v dpkg-source >/dev/null; then
    dpkg-source --no-check -x "$WORK"/src/kubernetes_*.dsc "$src" >>"$WORK/src/log" 2>&1
  else               # Debian's three patches touch only kubectl, which comes from the binary package
    mkdir "$src"; tar -xf "$WORK"/src/kubernetes_*.orig.tar.* -C "$src" --strip-components=1
  fi
  grep -q . "$src/cmd/kube-apiserver/apiserver.go" || die "this kubernetes source package has no kube-apiserver"
  export GOROOT=$WORK/go/usr/lib/go-$GOVER GOPATH=$WORK/gopath GOCACHE=$WORK/gocache GOTMPDIR=
  export GO111MODULE=off GOFLAGS=-trimpath GOPROXY=off GOSUMDB=off CGO_ENABLED=0 GOTOOLCHAIN=local
  cd "$src"
  # cAdvisor asks five times, a second apart, for a Docker daemon that is not there: 5 s of every kubelet start.
  sed -i 's/^\(const rootDirRetryPeriod time.Duration = \)1000 \* time.Millisecond$/\1time.Millisecond/' \
    vendor/github.com/google/cadvisor/container/docker/factory.go
  say "generating pkg/generated/openapi"            # the only generated file not in the tarball
  "$GOROOT/bin/go" build -o "$WORK/tool/openapi-gen" ./vendor/k8s.io/kube-openapi/cmd/openapi-gen
  dirs=$(grep -rl --include='*.go' '+k8s:openapi-gen=' vendor/k8s.io/*/ pkg cmd |
    grep -vE '^vendor/k8s.io/(code-generator|sample-apiserver|kube-openapi)/|/testdata/|_test\.go$' |
    xargs -n1 dirname | sort -u | sed 's#^#k8s.io/kubernetes/#' | paste -sd,)
  PATH=$GOROOT/bin:$PATH "$WORK/tool/openapi-gen" --logtostderr -i "$dirs" -p k8s.io/kubernetes/pkg/generated/openapi \
    -O zz_generated.openapi -h vendor/k8s.io/code-generator/hack/boilerplate.go.txt -r "$WORK/tool/violations"
  ld="-s -w -buildid="
  for q in component-base/version client-go/pkg/version; do
    q=k8s.io/kubernetes/vendor/k8s.io/$q
    ld="$ld -X $q.gitVersion=$KVER -X $q.gitMajor=1 -X $q.gitMinor=20 -X $q.gitTreeState=archive -X $q.buildDate=2021-01-13T00:00:00Z"
  done
  # One binary for all servers, told apart by its name: they share most of their code (360 MB apart, a third in one).
  say "compiling the servers"
  mkdir -p "$BIN" "$src/cmd/real-k8s"
  cat >"$src/cmd/real-k8s/main.go" <<'GO'
package main

import (
	goflag "flag"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	cliflag "k8s.io/component-base/cli/flag"
	"k8s.io/component-base/logs"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/restclient"
	_ "k8s.io/component-base/metrics/prometheus/version"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllermanager "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	proxy "k8s.io/kubernetes/cmd/kube-proxy/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
	kubelet "k8s.io/kubernetes/cmd/kubelet/app"
)

func main() {
	rand.Seed(time.Now().UnixNano())
	var c *cobra.Command
	switch filepath.Base(os.Args[0]) {
	case "kube-apiserver":
		c = apiserver.NewAPIServerCommand()
	case "kube-controller-manager":
		c = controllermanager.NewControllerManagerCommand()
	case "kube-scheduler":
		c = scheduler.NewSchedulerCommand()
	case "kubelet":
		c = kubelet.NewKubeletCommand()
	case "kube-proxy":
		c = proxy.NewProxyCommand()
		pflag.CommandLine.AddGoFlagSet(goflag.CommandLine)
	case "cluster-dns":
		clusterDNS(os.Args[1:])
		return
	default:
		fmt.Fprintln(os.Stderr, "unknown server name", os.Args[0])
		os.Exit(2)
	}
	pflag.CommandLine.SetNormalizeFunc(cliflag.WordSepNormalizeFunc)
	logs.InitLogs()
	defer logs.FlushLogs()
	if err := c.Execute(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
GO
  cat >"$src/cmd/real-k8s/dns.go" <<'GO'
package main

import (
	"flag"
	"log"
	"net"
	"strings"
	"time"

	"github.com/miekg/dns"
	v1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
)

// clusterDNS answers for services and endpoints; Debian has no CoreDNS.
func clusterDNS(args []string) {
	flag := flag.NewFlagSet("cluster-dns", flag.ExitOnError)
	kubeconfig := flag.String("kubeconfig", "", "")
	listen := flag.String("listen", "127.0.0.1:53", "")
	domain := flag.String("domain", "cluster.local", "")
	upstream := flag.String("upstream", "", "host:port for names outside the domain")
	flag.Parse(args)
	cfg, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
	if err != nil {
		log.Fatal(err)
	}
	f := informers.NewSharedInformerFactory(kubernetes.NewForConfigOrDie(cfg), 0)
	svcs, eps := f.Core().V1().Services().Lister(), f.Core().V1().Endpoints().Lister()
	f.Core().V1().Services().Informer()
	f.Core().V1().Endpoints().Informer()
	f.Start(nil)
	f.WaitForCacheSync(nil)
	zone := dns.Fqdn(*domain)

	// lookup: addresses of a name inside the zone, and whether the name exists.
	lookup := func(name string) (ips []string, ok bool) {
		l := strings.Split(strings.TrimSuffix(name, "."+zone), ".")
		n := len(l)
		if n == 3 && l[2] == "pod" {
			return []string{strings.ReplaceAll(l[0], "-", ".")}, true
		}
		if n < 3 || n > 4 || l[n-1] != "svc" {
			return nil, false
		}
		s, err := svcs.Services(l[n-2]).Get(l[n-3])
		if err != nil {
			return nil, false
		}
		if s.Spec.Type == v1.ServiceTypeExternalName {
			return []string{"=" + s.Spec.ExternalName}, n == 3
		}
		if s.Spec.ClusterIP != v1.ClusterIPNone {
			return []string{s.Spec.ClusterIP}, n == 3
		}
		e, err := eps.Endpoints(l[n-2]).Get(l[n-3])
		if err != nil {
			return nil, n == 3
		}
		for _, sub := range e.Subsets {
			for _, a := range sub.Addresses {
				if n == 3 || a.Hostname == l[0] || strings.ReplaceAll(a.IP, ".", "-") == l[0] {
					ips = append(ips, a.IP)
				}
			}
		}
		return ips, n == 3 || len(ips) > 0
	}
	dns.HandleFunc(".", func(w dns.ResponseWriter, r *dns.Msg) {
		m := new(dns.Msg)
		m.SetReply(r)
		m.Authoritative, m.RecursionAvailable = true, true
		if len(r.Question) != 1 {
			m.Rcode = dns.RcodeFormatError
			w.WriteMsg(m)
			return
		}
		q := r.Question[0]
		name := strings.ToLower(q.Name)
		if !dns.IsSubDomain(zone, name) {
			if *upstream != "" {
				c := &dns.Client{Net: w.LocalAddr().Network(), Timeout: 3 * time.Second}
				if a, _, err := c.Exchange(r, *upstream); err == nil {
					w.WriteMsg(a)
					return
				}
			}
			m.Rcode = dns.RcodeServerFailure
			w.WriteMsg(m)
			return
		}
		ips, ok := lookup(name)
		if !ok && name != zone {
			m.Rcode = dns.RcodeNameError
		}
		h := dns.RR_Header{Name: q.Name, Rrtype: q.Qtype, Class: dns.ClassINET, Ttl: 1}
		for _, ip := range ips {
			if strings.HasPrefix(ip, "=") {
				h.Rrtype = dns.TypeCNAME
				m.Answer = append(m.Answer, &dns.CNAME{Hdr: h, Target: dns.Fqdn(ip[1:])})
			} else if q.Qtype == dns.TypeA {
				m.Answer = append(m.Answer, &dns.A{Hdr: h, A: net.ParseIP(ip)})
			}
		}
		if len(m.Answer) == 0 {
			m.Ns = []dns.RR{&dns.SOA{Hdr: dns.RR_Header{Name: zone, Rrtype: dns.TypeSOA, Class: dns.ClassINET, Ttl: 1},
				Ns: "ns." + zone, Mbox: "root." + zone, Serial: 1, Refresh: 60, Retry: 60, Expire: 60, Minttl: 1}}
		}
		w.WriteMsg(m)
	})
	for _, n := range []string{"udp", "tcp"} {
		go func(n string) { log.Fatal((&dns.Server{Addr: *listen, Net: n}).ListenAndServe()) }(n)
	}
	select {}
}
GO
  "$GOROOT/bin/go" build ${K8S_JOBS:+-p "$K8S_JOBS"} -ldflags "$ld" -o "$BIN/kube.new" ./cmd/real-k8s
  mv "$BIN/kube.new" "$BIN/kube"
  for p in kube-apiserver kube-controller-manager kube-scheduler kubelet kube-proxy cluster-dns; do ln -sf kube "$BIN/$p"; done
  mkdir -p "$WORK/pause"                             # the pod sandbox process: wait, reap, exit on TERM
  cat >"$WORK/pause/main.go" <<'GO'
package main

import (
	"os"
	"os/signal"
	"syscall"
)

func main() {
	c := make(chan os.Signal, 16)
	signal.Notify(c, syscall.SIGINT, syscall.SIGTERM, syscall.SIGCHLD)
	for s := range c {
		if s != syscall.SIGCHLD {
			os.Exit(0)
		}
		for {
			if p, err := syscall.Wait4(-1, nil, syscall.WNOHANG, nil); p <= 0 || err != nil {
				break
			}
		}
	}
}
GO
  "$GOROOT/bin/go" build -ldflags '-s -w -buildid=' -o "$BIN/pause" "$WORK/pause/main.go"
  cd "$K8S_CACHE"
}

wrap() {                                             # wrap NAME: run an unpacked .deb's program in place
  cat >"$BIN/$1" <<'W'
#!/bin/sh
r=$(dirname "$(dirname "$(readlink -f "$0")")")/root
l=$(ls -d "$r"/usr/lib/*-linux-gnu* | head -n1)
export LD_LIBRARY_PATH="$l" XTABLES_LIBDIR="$l/xtables"
exec "$r/usr/sbin/$(basename "$0" | sed "s/^\(ip6\?tables\)/\1-$(cat "$r/.iptables")/")" "$@"
W
  chmod 755 "$BIN/$1"
}

build() {
  local b t=$SECONDS
  if [ -e "$DIST/.complete" ]; then say "already built: $DIST"; return; fi
  command -v openssl >/dev/null || die "openssl is needed (Debian package openssl)"
  mkdir -p "$BIN" "$IMG"
  apt_setup
  if [ ! -e "$DIST/.debs" ]; then
    say "fetching etcd, containerd, runc, CNI plugins, iptables, busybox, kubectl"
    rm -rf "$ROOT"
    fetch_debs "$ROOT" etcd-server etcd-client containerd runc containernetworking-plugins busybox-static \
      kubernetes-client iptables libxtables12 libip4tc2 libip6tc2 libmnl0 libnftnl11 libnetfilter-conntrack3 \
      libnfnetlink0 libseccomp2 conntrack
    rm -rf "$ROOT/usr/share" "$ROOT/etc" "$ROOT/usr/bin/containerd-stress" "$ROOT/usr/bin/containerd-shim" "$ROOT/usr/bin/containerd-shim-runc-v1"
    echo nft >"$ROOT/.iptables"
    for b in iptables iptables-save iptables-restore ip6tables ip6tables-save ip6tables-restore conntrack; do wrap $b; done
    for b in usr/bin/kubectl usr/bin/etcd usr/bin/etcdctl usr/bin/ctr usr/sbin/runc; do ln -sf "../root/$b" "$BIN/"; done
    touch "$DIST/.debs"
  fi
  build_servers
  rm -rf "$WORK/p" "$WORK/b"; mkdir -p "$WORK/p" "$WORK/b/bin" "$WORK/b/tmp" "$WORK/b/etc" "$WORK/b/root"
  cp "$BIN/pause" "$WORK/p/pause"
  pack localhost/k8s/pause:1 "$WORK/p" /pause
  busybox_root "$WORK/b"
  pack localhost/k8s/busybox:1 "$WORK/b" /bin/sh
  touch "$DIST/.complete"
  [ "${K8S_KEEP_BUILD:-0}" = 1 ] || { chmod -R u+w "$WORK"; rm -rf "$WORK" "$K8S_CACHE/apt"; }
  say "built in $((SECONDS - t)) s: $(du -sh "$DIST" | cut -f1)"
}

# ------------------------------------------------------------------------------------ images
busybox_root() {
  local a
  mkdir -p "$1/bin" "$1/etc" "$1/tmp" "$1/root"; chmod 1777 "$1/tmp"
  cp "$ROOT/bin/busybox" "$1/bin/busybox"
  for a in $("$1/bin/busybox" --list); do [ -e "$1/bin/$a" ] || ln -s busybox "$1/bin/$a"; done
  echo 'root:x:0:0:root:/root:/bin/sh' >"$1/etc/passwd"; echo 'root:x:0:' >"$1/etc/group"
}
pack() {                                             # pack REF DIR CMD...: a docker-archive of one layer
  local ref=$1 dir=$2 d sum cfg arch cmd='' a f; shift 2
  f=$IMG/$(echo "$ref" | tr '/:' '__').tar
  d=$(mktemp -d "$K8S_CACHE/pack.XXXXXX")
  tar -C "$dir" --numeric-owner --owner=0 --group=0 --sort=name --mtime=@0 -cf "$d/layer.tar" .
  sum=$(sha256sum "$d/layer.tar" | cut -d' ' -f1)
  arch=$(dpkg --print-architecture)
  for a in "$@"; do cmd="$cmd${cmd:+,}\"$a\""; done
  printf '{"architecture":"%s","os":"linux","config":{"Env":["PATH=%s"%s],"Cmd":[%s],"WorkingDir":"/"},"rootfs":{"type":"layers","diff_ids":["sha256:%s"]},"history":[{"created_by":"real-k8s.sh"}]}' \
    "$arch" "${PACK_PATH:-/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin}" "${PACK_ENV:+,\"$PACK_ENV\"}" "$cmd" "$sum" >"$d/config.json"
  cfg=$(sha256sum "$d/config.json" | cut -d' ' -f1); mv "$d/config.json" "$d/$cfg.json"
  printf '[{"Config":"%s.json","RepoTags":["%s"],"Layers":["layer.tar"]}]' "$cfg" "$ref" >"$d/manifest.json"
  tar -C "$d" -cf "$f.new" manifest.json "$cfg.json" layer.tar
  mv "$f.new" "$f"; rm -rf "$d"
  say "image $ref: $f ($(du -h "$f" | cut -f1))"
}
import_image() { ctrd images import --snapshotter "$(cat "$RUN/snapshotter")" "$1" >/dev/null; }
image() {
  local ref=$1 dir=$2; shift 2
  mkdir -p "$IMG"
  pack "$ref" "$dir" "$@"
  if alive containerd; then import_image "$IMG/$(echo "$ref" | tr '/:' '__').tar"; fi
}
load() {
  mkdir -p "$IMG"
  [ "$1" -ef "$IMG/${1##*/}" ] || cp "$1" "$IMG/${1##*/}"
  if alive containerd; then import_image "$IMG/${1##*/}"; fi
}
jdk_image() {
  local j d l
  j=${K8S_JDK_HOME:-$(readlink -f "$(command -v java)")}; j=$(readlink -f "${j%/bin/java}")
  [ -x "$j/bin/java" ] || die "no JDK; set K8S_JDK_HOME"
  d=$(mktemp -d "$K8S_CACHE/jdk.XXXXXX")
  busybox_root "$d"
  mkdir -p "$d$j"
  tar -C "$j" --exclude=./src.zip --exclude=./lib/src.zip --exclude=./jmods --exclude=./man --exclude=./demo --exclude=./docs -chf - . 2>/dev/null |
    tar -C "$d$j" -xf - || true                      # -h: Debian's JDK links into /etc; dangling links are skipped
  { ldd "$j/bin/java" "$j"/lib/*.so "$j"/lib/server/*.so 2>/dev/null || true; } |
    sed -n 's/^.*=> \(\/[^ ]*\) (.*/\1/p; s/^[[:space:]]*\(\/[^ ]*ld-[^ ]*\) (.*/\1/p' | sort -u |
    while read -r l; do case $l in "$j"/*) ;; *) mkdir -p "$d${l%/*}"; cp -L "$l" "$d$l" ;; esac; done
  PACK_PATH=$j/bin:/bin PACK_ENV="JAVA_HOME=$j" image localhost/k8s/jdk:1 "$d" /bin/sh
  rm -rf "$d"
}

# --------------------------------------------------------------------------------------- pki
cert() {                                             # cert NAME /SUBJ [SAN]
  openssl req -newkey rsa:2048 -nodes -keyout "$PKI/$1.key" -out "$PKI/$1.csr" -subj "$2" 2>/dev/null
  { echo "basicConstraints=CA:FALSE"; echo "keyUsage=digitalSignature,keyEncipherment"
    echo "extendedKeyUsage=serverAuth,clientAuth"; [ -z "${3:-}" ] || echo "subjectAltName=$3"; } >"$PKI/$1.ext"
  openssl x509 -req -in "$PKI/$1.csr" -CA "$PKI/ca.crt" -CAkey "$PKI/ca.key" -CAcreateserial -days 3650 -sha256 \
    -extfile "$PKI/$1.ext" -out "$PKI/$1.crt" 2>/dev/null
  rm -f "$PKI/$1.csr" "$PKI/$1.ext"
}
kubeconf() {                                         # kubeconf NAME USER-YAML
  cat >"$PKI/$1.kubeconfig" <<Y
apiVersion: v1
kind: Config
current-context: real-k8s
clusters: [{name: real-k8s, cluster: {server: "https://$API_IP:$API_PORT", certificate-authority-data: "$(base64 -w0 "$PKI/ca.crt")"}}]
users: [{name: "$1", user: {$2}}]
contexts: [{name: real-k8s, context: {cluster: real-k8s, user: "$1", namespace: default}}]
Y
  chmod 600 "$PKI/$1.kubeconfig"
}
pki() {
  local want="3 $PKI $API_IP $NODE_IP $API_PORT $SVC $NODE" n
  if [ "$(cat "$PKI/.for" 2>/dev/null)" = "$want" ] && openssl x509 -in "$PKI/ca.crt" -checkend 604800 >/dev/null; then return; fi
  rm -rf "$PKI"; mkdir -p "$PKI"; chmod 700 "$PKI"
  openssl req -x509 -newkey rsa:2048 -nodes -keyout "$PKI/ca.key" -out "$PKI/ca.crt" -days 3650 -subj /CN=real-k8s-ca \
    -addext keyUsage=critical,keyCertSign,cRLSign,digitalSignature 2>/dev/null
  cert apiserver /CN=kube-apiserver "IP:127.0.0.1,IP:$NODE_IP,IP:$SVC.0.1,DNS:localhost,DNS:kubernetes,DNS:kubernetes.default,DNS:kubernetes.default.svc,DNS:kubernetes.default.svc.cluster.local"
  cert apiserver-kubelet-client /O=system:masters/CN=kube-apiserver-kubelet-client
  cert admin /O=system:masters/CN=admin
  cert kcm /CN=system:kube-controller-manager
  cert scheduler /CN=system:kube-scheduler
  cert proxy /CN=system:kube-proxy
  cert dns /CN=system:serviceaccount:kube-system:kube-dns   # the default RBAC bindings know this name
  cert kubelet "/O=system:nodes/CN=system:node:$NODE" "IP:$NODE_IP,DNS:$NODE"
  openssl genrsa -out "$PKI/sa.key" 2048 2>/dev/null; openssl rsa -in "$PKI/sa.key" -pubout -out "$PKI/sa.pub" 2>/dev/null
  openssl rand -hex 24 >"$PKI/admin.token"
  echo "$(cat "$PKI/admin.token"),admin,admin,\"system:masters\"" >"$PKI/tokens.csv"
  kubeconf admin "token: \"$(cat "$PKI/admin.token")\""
  for n in kcm scheduler proxy kubelet dns; do
    kubeconf $n "client-certificate: \"$PKI/$n.crt\", client-key: \"$PKI/$n.key\""
  done
  chmod 600 "$PKI"/*.key "$PKI"/admin.token "$PKI"/tokens.csv
  echo "$want" >"$PKI/.for"
}

# ---------------------------------------------------------------------------------------- up
SYSCTLS="vm/overcommit_memory vm/panic_on_oom kernel/panic kernel/panic_on_oops kernel/keys/root_maxkeys
kernel/keys/root_maxbytes net/ipv4/ip_forward net/ipv4/conf/all/route_localnet net/bridge/bridge-nf-call-iptables
net/bridge/bridge-nf-call-ip6tables net/netfilter/nf_conntrack_tcp_timeout_established net/netfilter/nf_conntrack_tcp_timeout_close_wait"
MNTDIRS="/run/containerd /run/netns /var/lib/kubelet /var/lib/cni /var/log/pods /var/log/containers"

control_plane_start() {
  start etcd "$ROOT/usr/bin/etcd" --name=default --data-dir="$RUN/etcd" --listen-client-urls="http://127.0.0.1:$ETCD_PORT" \
    --advertise-client-urls="http://127.0.0.1:$ETCD_PORT" --listen-peer-urls="http://127.0.0.1:$((ETCD_PORT + 1))" \
    --initial-advertise-peer-urls="http://127.0.0.1:$((ETCD_PORT + 1))" \
    --initial-cluster="default=http://127.0.0.1:$((ETCD_PORT + 1))" --log-level=warn
  # shellcheck disable=SC2086
  start kube-apiserver "$BIN/kube-apiserver" --etcd-servers="http://127.0.0.1:$ETCD_PORT" --bind-address="$API_IP" \
    --advertise-address="$NODE_IP" --secure-port="$API_PORT" --cert-dir="$RUN/apiserver" \
    --tls-cert-file="$PKI/apiserver.crt" --tls-private-key-file="$PKI/apiserver.key" --client-ca-file="$PKI/ca.crt" \
    --token-auth-file="$PKI/tokens.csv" --authorization-mode=Node,RBAC --enable-admission-plugins=NodeRestriction \
    --service-account-key-file="$PKI/sa.pub" --service-account-signing-key-file="$PKI/sa.key" \
    --service-account-issuer=https://kubernetes.default.svc --service-cluster-ip-range="$SVC.0.0/16" \
    --kubelet-client-certificate="$PKI/apiserver-kubelet-client.crt" --kubelet-client-key="$PKI/apiserver-kubelet-client.key" \
    --requestheader-client-ca-file="$PKI/ca.crt" --requestheader-allowed-names=front-proxy-client \
    --requestheader-username-headers=X-Remote-User --requestheader-group-headers=X-Remote-Group --requestheader-extra-headers-prefix=X-Remote-Extra- \
    --kubelet-certificate-authority="$PKI/ca.crt" --kubelet-preferred-address-types=InternalIP \
    --allow-privileged=true --event-ttl=1h ${K8S_APISERVER_ARGS:-}
}
control_plane_wait() {
  wait_for 90 "kube-apiserver" api_ready || fail
  # shellcheck disable=SC2086
  start kube-controller-manager "$BIN/kube-controller-manager" --kubeconfig="$PKI/kcm.kubeconfig" \
    --port=0 --secure-port=0 --leader-elect=false \
    --use-service-account-credentials=true --service-account-private-key-file="$PKI/sa.key" --root-ca-file="$PKI/ca.crt" \
    --cluster-signing-cert-file="$PKI/ca.crt" --cluster-signing-key-file="$PKI/ca.key" ${K8S_KCM_ARGS:-}
  start kube-scheduler "$BIN/kube-scheduler" --kubeconfig="$PKI/scheduler.kubeconfig" \
    --port=0 --secure-port=0 --leader-elect=false
}
api_ready() { k get --raw=/readyz; }
sa_ready() { [ -n "$(k get sa default -n default -o 'jsonpath={.secrets[0].name}')" ]; }
node_ready() {
  [ "$(k get node "$NODE" -o 'jsonpath={.status.conditions[?(@.type=="Ready")].status}{.spec.taints}')" = True ]
}
fail() { say "failed; logs in $RUN/log"; tail -n 5 "$RUN"/log/*.log >&2; exit 1; }
in_ns() { local h; read -r h _ <"$RUN/pids/mountns"; echo nsenter -t "$h" -m --; }

node_prepare() {
  local s f
  [ "$(id -u)" = 0 ] || die "a node needs root (K8S_NODE=0 starts the control plane only)"
  [ ${#RUN} -le 90 ] || die "K8S_CACHE is too long a path for a Unix socket below it"
  [ -z "$(pod_pids)" ] || die "another kubelet's pods run on this machine (cgroup kubepods)"
  for s in $SYSCTLS; do [ -r "/proc/sys/$s" ] && echo "$s $(cat "/proc/sys/$s")"; done >"$RUN/sysctl.saved" || true
  ipr link show "$NETIF" >/dev/null 2>&1 || ipr link add name "$NETIF" type bridge
  ipr addr add "$NODE_IP/24" dev "$NETIF"; ipr link set "$NETIF" up
  echo 1 >/proc/sys/net/ipv4/ip_forward
  f=legacy; echo nft >"$ROOT/.iptables"
  "$BIN/iptables" -t nat -S >/dev/null 2>&1 || echo legacy >"$ROOT/.iptables"
  "$BIN/iptables" -t nat -S >/dev/null 2>&1 || echo none >"$ROOT/.iptables"
  mkdir -p "$RUN/ov/l" "$RUN/ov/u" "$RUN/ov/w" "$RUN/ov/m"
  if unshare -m mount -t overlay overlay -o "lowerdir=$RUN/ov/l,upperdir=$RUN/ov/u,workdir=$RUN/ov/w" "$RUN/ov/m" 2>/dev/null
  then echo overlayfs; else echo native; fi >"$RUN/snapshotter"
}
node_runtime() {
  local ns d m masq=true; cd /
  [ "$(cat "$ROOT/.iptables")" != none ] || masq=false
  # A private mount namespace for containerd and kubelet: their fixed paths (/var/lib/kubelet, /var/log/pods,
  # /run/containerd, ...) are redirected below $RUN, and every mount of theirs vanishes with the last process.
  for d in $MNTDIRS; do mkdir -p "$d" "$RUN/fs$d"; done
  # shellcheck disable=SC2016
  start mountns unshare -m --propagation slave sh -ec 'run=$1; shift; for d; do mount --bind "$run/fs$d" "$d"; done
    mount --make-rshared /var/lib/kubelet; mount --make-rshared /run/netns; : >"$run/mountns.ready"; exec sleep infinity' sh "$RUN" $MNTDIRS
  wait_for 10 "mount namespace" test -e "$RUN/mountns.ready" || fail
  ns=$(in_ns)
  mkdir -p "$RUN/cni" "$RUN/containerd"
  cat >"$RUN/cni/10-bridge.conflist" <<J
{"cniVersion":"0.4.0","name":"k8s","plugins":[
 {"type":"bridge","bridge":"$NETIF","isGateway":true,"ipMasq":$masq,"hairpinMode":true,
  "ipam":{"type":"host-local","ranges":[[{"subnet":"$NET.0/24","rangeStart":"$NET.10"}]],"routes":[{"dst":"0.0.0.0/0"}]}}$(
  [ "$masq" = false ] || echo ',{"type":"portmap","capabilities":{"portMappings":true}}')]}
J
  cat >"$RUN/containerd.toml" <<T
version = 2
root = "$RUN/containerd"
state = "/run/containerd"
disabled_plugins = ["io.containerd.snapshotter.v1.aufs", "io.containerd.snapshotter.v1.btrfs", "io.containerd.snapshotter.v1.devmapper", "io.containerd.snapshotter.v1.zfs", "io.containerd.internal.v1.opt", "io.containerd.tracing.processor.v1.otlp"]
[grpc]
  address = "$RUN/containerd.sock"
[ttrpc]
  address = "/run/containerd/containerd.sock.ttrpc"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "localhost/k8s/pause:1"
  stream_server_address = "127.0.0.1"
  restrict_oom_score_adj = true
  [plugins."io.containerd.grpc.v1.cri".containerd]
    snapshotter = "$(cat "$RUN/snapshotter")"
    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
      runtime_type = "io.containerd.runc.v2"
      [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
        BinaryName = "$ROOT/usr/sbin/runc"
        SystemdCgroup = false
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "$ROOT/usr/lib/cni"
    conf_dir = "$RUN/cni"
T
  # shellcheck disable=SC2086
  start containerd $ns env PATH="$BIN:$ROOT/usr/bin:$PATH" "$ROOT/usr/bin/containerd" -c "$RUN/containerd.toml"
  wait_for 30 containerd ctrd version || fail
  for m in "$IMG"/*.tar; do import_image "$m" || fail; done
}
node_up() {
  local ns masq=true upstream; cd /
  [ "$(cat "$ROOT/.iptables")" != none ] || masq=false
  ns=$(in_ns)
  upstream=${K8S_POD_DNS:-$(sed -n 's/^nameserver[[:space:]]*//p' /etc/resolv.conf | grep -v '^127\.' | head -n1)}
  start cluster-dns "$BIN/cluster-dns" --kubeconfig="$PKI/dns.kubeconfig" --listen="$NODE_IP:53" ${upstream:+--upstream="$upstream:53"}
  printf 'nameserver %s\n' "${upstream:-$NODE_IP}" >"$RUN/resolv.conf"
  cat >"$RUN/kubelet.yaml" <<Y
kind: KubeletConfiguration
apiVersion: kubelet.config.k8s.io/v1beta1
address: $NODE_IP
port: 10250
readOnlyPort: 0
healthzPort: 0
tlsCertFile: $PKI/kubelet.crt
tlsPrivateKeyFile: $PKI/kubelet.key
authentication: {anonymous: {enabled: false}, webhook: {enabled: true}, x509: {clientCAFile: $PKI/ca.crt}}
authorization: {mode: Webhook}
cgroupDriver: cgroupfs
enforceNodeAllocatable: []
failSwapOn: false
resolvConf: $RUN/resolv.conf
clusterDNS: ["$NODE_IP"]
clusterDomain: cluster.local
nodeStatusUpdateFrequency: 2s
serializeImagePulls: false
imageGCHighThresholdPercent: 100
imageGCLowThresholdPercent: 99
evictionHard: {memory.available: 100Mi, nodefs.available: 1%, imagefs.available: 1%, nodefs.inodesFree: 1%}
maxPods: 110
syncFrequency: 10s
makeIPTablesUtilChains: $masq
Y
  # shellcheck disable=SC2086
  start kubelet $ns env PATH="$BIN:$PATH" "$BIN/kubelet" --config="$RUN/kubelet.yaml" --kubeconfig="$PKI/kubelet.kubeconfig" \
    --container-runtime=remote --container-runtime-endpoint="unix://$RUN/containerd.sock" --containerd="$RUN/containerd.sock" --hostname-override="$NODE" \
    --node-ip="$NODE_IP" --root-dir=/var/lib/kubelet --cert-dir=/var/lib/kubelet/pki --volume-plugin-dir=/var/lib/kubelet/volumeplugins \
    --pod-infra-container-image=localhost/k8s/pause:1 ${K8S_KUBELET_ARGS:-}
  if [ $masq = true ]; then
    start kube-proxy env PATH="$BIN:$PATH" "$BIN/kube-proxy" --kubeconfig="$PKI/proxy.kubeconfig" --hostname-override="$NODE" \
      --proxy-mode=iptables --cluster-cidr="$NET.0/24" --healthz-bind-address=127.0.0.1:10256 --metrics-bind-address=127.0.0.1:10249 \
      --conntrack-max-per-core=0 --conntrack-tcp-timeout-established=0 --conntrack-tcp-timeout-close-wait=0 \
      --nodeport-addresses=127.0.0.0/8,"$NODE_IP/32"
  fi
}

up() {
  local t0
  [ -e "$DIST/.complete" ] || build
  t0=$(date +%s%N)
  if alive kube-apiserver && { [ "$K8S_NODE" != 1 ] || alive kubelet; }; then say "already up"; k get --raw=/readyz >/dev/null; return; fi
  [ ! -d "$RUN/pids" ] || down
  rm -rf "$RUN"; mkdir -p "$RUN/pids" "$RUN/log"; chmod 700 "$RUN"
  trap 'e=$?; if [ $e != 0 ]; then say "up failed; stopping what was started (logs: $RUN/log)"; down; fi' EXIT
  pki
  if [ "$K8S_NODE" = 1 ]; then node_prepare; fi
  control_plane_start
  if [ "$K8S_NODE" = 1 ]; then node_runtime; fi
  control_plane_wait
  say "kube-apiserver ready after $((($(date +%s%N) - t0) / 1000000)) ms"
  if [ "$K8S_NODE" = 1 ]; then node_up; fi
  wait_for 60 "default service account" sa_ready || fail
  if [ "$K8S_NODE" = 1 ]; then
    wait_for 90 "node Ready" node_ready || fail
    say "node ready after $((($(date +%s%N) - t0) / 1000000)) ms"
  fi
  cat >"$RUN/env" <<E
export KUBECONFIG='$PKI/admin.kubeconfig'
export K8S_API_URL='https://$API_IP:$API_PORT'
export K8S_CA_FILE='$PKI/ca.crt'
export K8S_TOKEN='$(cat "$PKI/admin.token")'
export K8S_KUBECTL='$BIN/kubectl'
E
  trap - EXIT
  say "up after $((($(date +%s%N) - t0) / 1000000)) ms; KUBECONFIG=$PKI/admin.kubeconfig"
}

# -------------------------------------------------------------------------------------- down
node_stop() {
  local f p c i
  stop kube-proxy; stop cluster-dns; stop kubelet
  if alive containerd; then                          # kill every container task, then let the shims end
    for c in $(ctrd tasks ls -q 2>/dev/null); do ctrd tasks kill -s SIGKILL "$c" >/dev/null 2>&1 || true; done
    for ((i = 0; i < 50; i++)); do
      c=$(ctrd tasks ls 2>/dev/null | awk 'NR>1 && $3!="STOPPED"' | wc -l); [ "$c" != 0 ] || break; sleep 0.1
    done
    for c in $(ctrd tasks ls -q 2>/dev/null); do ctrd tasks rm -f "$c" >/dev/null 2>&1 || true; done
    for c in $(ctrd containers ls -q 2>/dev/null); do ctrd containers rm "$c" >/dev/null 2>&1 || true; done
  fi
  stop containerd
  # Leftovers (after a crash of containerd): the processes in our pods' cgroups and the shims run from our own binary.
  for p in $(pod_pids); do kill -KILL "$p" 2>/dev/null || true; done
  for f in /proc/[0-9]*; do
    case $(readlink "$f/exe" 2>/dev/null) in "$ROOT"/usr/bin/containerd-shim*) kill -KILL "${f#/proc/}" 2>/dev/null || true ;; esac
  done
  stop mountns 1                                     # the last process of the namespace: its mounts are gone now
}
node_undo() {                                        # firewall chains, bridge, cgroups, directories, sysctls
  local s v c d
  if [ -e "$ROOT/.iptables" ] && [ "$(cat "$ROOT/.iptables")" != none ]; then
    for c in iptables ip6tables; do for s in nat filter mangle; do
      { PATH=$BIN:$PATH $c-save -t $s 2>/dev/null | grep -E '^(-A .*-j (KUBE|CNI)-|:(KUBE|CNI)-|-A (KUBE|CNI)-|-A POSTROUTING .*name: \\?"k8s)' || true; } >"$RUN/ipt.$c.$s"
      sed -n 's/^-A \([A-Z]*\) \(.*-j \(KUBE\|CNI\)-.*\)$/-D \1 \2/p' "$RUN/ipt.$c.$s" | grep -vE '^-D (KUBE|CNI)-' >"$RUN/ipt.rules" || true
      { echo "*$s"; cat "$RUN/ipt.rules"; sed -n 's/^:\([^ ]*\) .*/-F \1/p' "$RUN/ipt.$c.$s"; sed -n 's/^:\([^ ]*\) .*/-X \1/p' "$RUN/ipt.$c.$s"; echo COMMIT; } |
        { PATH=$BIN:$PATH $c-restore --noflush 2>>"$RUN/log/down.log" || true; }
    done; done
  fi
  ipr link del "$NETIF" 2>/dev/null || true
  for d in /sys/fs/cgroup/kubepods /sys/fs/cgroup/*/kubepods; do
    for s in 1 2 3 4 5; do
      [ -d "$d" ] || break
      find "$d" -depth -type d -exec rmdir {} \; 2>/dev/null || sleep 0.2
    done
  done
  for d in $MNTDIRS; do rmdir "$d" 2>/dev/null || true; done
  if [ -r "$RUN/sysctl.saved" ]; then
    while read -r s v; do [ "$(cat "/proc/sys/$s" 2>/dev/null)" = "$v" ] || echo "$v" >"/proc/sys/$s" 2>/dev/null || true; done <"$RUN/sysctl.saved"
  fi
}
down() {
  [ -d "$RUN/pids" ] || { say "not up"; return; }
  trap - EXIT
  if [ -e "$RUN/sysctl.saved" ]; then node_stop; fi
  stop kube-scheduler; stop kube-controller-manager; stop kube-apiserver; stop etcd
  if [ -e "$RUN/sysctl.saved" ]; then node_undo; fi  # last: the servers still talk over the bridge while they stop
  mkdir -p "$K8S_CACHE/log"; cp -f "$RUN"/log/*.log "$K8S_CACHE/log/" 2>/dev/null || true
  rm -rf --one-file-system "$RUN"
  say "down; last logs in $K8S_CACHE/log"
}

status() {
  local f n p
  [ -d "$RUN/pids" ] || { echo "not up"; return 1; }
  for f in "$RUN"/pids/*; do
    n=${f##*/}; read -r p _ <"$f"
    if alive "$n"; then printf '%-26s pid %-7s RSS %6d kB\n' "$n" "$p" "$(awk '/^VmRSS/{print $2}' "/proc/$p/status")"; else printf '%-26s DEAD\n' "$n"; fi
  done
  k get nodes -o wide 2>/dev/null || true
}

case ${1:-} in
  build) build ;;
  up) up ;;
  down) down ;;
  kubeconfig) [ -e "$RUN/env" ] || die "not up"; echo "$PKI/admin.kubeconfig" ;;
  env) [ -e "$RUN/env" ] || die "not up"; cat "$RUN/env" ;;
  status) status ;;
  image) shift; [ $# -ge 2 ] || die "usage: image REF DIR [CMD...]"; image "$@" ;;
  load) shift; [ $# = 1 ] || die "usage: load FILE"; load "$1" ;;
  pid) shift; alive "${1:-}" || die "${1:-}: does not run"; read -r p _ <"$RUN/pids/$1"; echo "$p" ;;
  jdk-image) jdk_image ;;
  *) sed -n '3,32s/^# \{0,1\}//p' "$0"; exit 2 ;;
esac
